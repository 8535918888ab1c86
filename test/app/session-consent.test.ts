// Consent and drafts belong to one session on one machine: nothing that a log says, and no copy of it, allows anything.
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeHost } from "../../src/app/host.ts"
import type { SessionId } from "../../src/model/id.ts"
import type { Json } from "../../src/model/json.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { openSession } from "../../src/session/session.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { sweepLocal } from "../../src/store/file/folder/sweep.ts"
import { bringBack } from "../../src/store/file/folder/trash.ts"
import { localFiles } from "../../src/store/file/local/local-files.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"
import { bash, talk, until } from "./talk.ts"

const touching = () =>
  talk([bash("touch a"), { text: "Done." }, bash("touch a"), { text: "Done." }], { mode: "default" })

/** A session with a round in it, closed. `set`: what the person allows in it. */
async function left(at: TestHost, set: (session: WorkSession) => Promise<unknown> = async () => undefined) {
  const { session } = await at.open()
  await session.title("one")
  await set(session)
  await session.close()
  return { id: session.id, file: session.file as string }
}

/** As an older version wrote it, or anybody who sends a log. */
async function record(at: TestHost, id: SessionId, key: string, value: Json): Promise<void> {
  const session = await openSession(at.parts.store, id)
  await session.configure(key, value)
  await session.close()
}

const notices = (events: readonly HostEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.text] : []))

/** Which prompts are asked about: every question is refused. */
async function isAsked(session: WorkSession): Promise<boolean> {
  let asked = false
  session.on(({ event }) => {
    if (event.type !== "approval-start") return
    asked = true
    void session.answer(event.approval, { answer: "no" })
  })
  await session.send({ text: "go" })
  return asked
}

test("a log that says yolo and has rules allows nothing; that is said once, and nothing else is lost", async () => {
  const at = touching()
  const { id } = await left(at)
  await record(at, id, "mode", "yolo")
  await record(at, id, "allow", ["Bash(touch a)", "Write"])
  const first = await at.open(id)
  expect(first.session.config().get("mode")).toBe("yolo")
  expect(first.session.status().mode).toBe("default")
  expect((await first.session.permissions()).allow).toEqual([])
  expect(notices(first.events)).toEqual([expect.stringContaining("Not in force here: mode yolo and 2 rules.")])
  expect(await isAsked(first.session)).toBe(true)
  await first.session.close()
  const again = await at.open(id)
  expect(notices(again.events)).toEqual([])
  expect(again.session.status().mode).toBe("default")
})

test("a log may narrow what is configured, until the person sets a mode", async () => {
  const at = makeTestHost({ mode: "yolo" })
  const { id } = await left(at)
  await record(at, id, "mode", "default")
  const { session, events } = await at.open(id)
  expect([session.status().mode, notices(events)]).toEqual(["default", []])
  await session.setMode("yolo")
  expect(session.status().mode).toBe("yolo")
})

test("what was allowed here is still allowed after a restart, stands in no log, and only its owner can read it", async () => {
  const at = touching()
  const { id, file } = await left(at, async (session) => {
    await session.allow("Bash(touch a)")
    await session.setMode("autoEdit")
  })
  expect(readFileSync(file, "utf8")).not.toMatch(/autoEdit|touch a/)
  const [name = ""] = readdirSync(join(at.home, "local"))
  expect(statSync(join(at.home, "local", name)).mode & 0o777).toBe(0o600)
  expect(statSync(join(at.home, "local")).mode & 0o777).toBe(0o700)
  const session = await at.elsewhere().open(id)
  expect(session.status().mode).toBe("autoEdit")
  expect(await isAsked(workIn(session))).toBe(false)
  expect(existsSync(join(at.root, "a"))).toBe(true)
  await session.close()
})

test("a copy of the whole home allows nothing, and says why", async () => {
  const at = touching()
  const { id } = await left(at, async (session) => {
    await session.setMode("yolo")
    await session.close({ text: "half a thought" })
  })
  const copy = join(at.root, "..", "copy")
  cpSync(at.home, copy, { recursive: true, preserveTimestamps: true })
  const host = makeHost({ ...at.parts, store: fileStore({ home: copy }), local: (log) => localFiles(copy, log) })
  const session = await host.open(id)
  const events: HostEvent[] = []
  session.on(({ event }) => events.push(event))
  expect(session.status().mode).toBe("default")
  expect(notices(events)).toEqual([expect.stringContaining("Not in force here: mode yolo.")])
  expect(session.takeDraft()).toEqual({ text: "half a thought" })
  await session.close()
  expect((await at.open(id)).session.status().mode).toBe("yolo")
})

test("a copy of a log beside the original has its own consent and its own draft", async () => {
  const at = touching()
  const { id, file } = await left(at, async (session) => {
    await session.setMode("yolo")
    await session.close({ text: "half a thought" })
  })
  const path = join(at.root, "copy.jsonl")
  cpSync(file, path)
  const copy = await at.host.open({ path })
  expect(copy.status().mode).toBe("default")
  expect(copy.takeDraft()).toBeUndefined()
  await workIn(copy).setMode("autoEdit")
  await copy.close()
  expect((await at.open(id)).session.status().mode).toBe("yolo")
})

test.each(["", "{", '{"log":1,"value":{"mode":"yolo"}}', "[]"])(
  "a consent file of %j allows nothing",
  async (content) => {
    const at = touching()
    const { id } = await left(at, (session) => session.setMode("yolo"))
    const [name = ""] = readdirSync(join(at.home, "local"))
    writeFileSync(join(at.home, "local", name), content)
    const { session } = await at.open(id)
    expect(session.status().mode).toBe("default")
    expect(await isAsked(session)).toBe(true)
  },
)

test("what another process allows or revokes holds here at once, and is shown", async () => {
  const at = touching()
  const { session } = await at.open()
  await session.title("one")
  const other = await at.elsewhere().open(session.id)
  await session.allow("Bash(touch a)")
  expect((await other.permissions()).allow.map(({ rule }) => rule)).toEqual(["Bash(touch a)"])
  await workIn(other).revoke("Bash(touch a)")
  const asked = until(session, ({ type }) => type === "approval-start")
  const ended = session.send({ text: "go" })
  await asked
  const shown = until(session, (event) => event.type === "status" && event.status.mode === "yolo")
  const settled = until(session, (event) => event.type === "approval-end")
  await workIn(other).setMode("yolo")
  expect(session.status().mode).toBe("yolo")
  await shown
  expect(await settled).toMatchObject({ answer: "settled" })
  expect(await ended).toMatchObject({ outcome: "done" })
  await other.close()
})

test("two processes that allow something at the same moment lose neither", async () => {
  const at = touching()
  const { session } = await at.open()
  await session.title("one")
  const other = await at.elsewhere().open(session.id)
  const rules = Array.from({ length: 10 }, (_, i) => `Bash(touch ${i})`)
  await Promise.all(rules.map((rule, i) => workIn(i % 2 === 0 ? session : other).allow(rule)))
  expect((await session.permissions()).allow.map(({ rule }) => rule).sort()).toEqual(rules)
  await other.close()
})

test("a removed session comes back with its draft and without consent; gc removes what has no session", async () => {
  const at = touching()
  const { id } = await left(at, async (session) => {
    await session.setMode("yolo")
    await session.close({ text: "half a thought" })
  })
  const local = () => readdirSync(join(at.home, "local")).map((name) => name.slice(id.length))
  const later = Date.now() + 24 * 60 * 60 * 1000
  await at.parts.store.remove(id)
  expect(local()).toEqual([".draft.json"])
  bringBack(at.home, id)
  const { session } = await at.open(id)
  expect(session.status().mode).toBe("default")
  expect(session.takeDraft()).toEqual({ text: "half a thought" })
  await session.close({ text: "half a thought" })
  expect(sweepLocal(at.home, later, false).files).toBe(0)
  await at.parts.store.remove(id)
  expect(sweepLocal(at.home, Date.now(), false).files).toBe(0)
  expect(sweepLocal(at.home, later, true).files).toBe(1)
  expect(sweepLocal(at.home, later, false).files).toBe(1)
  expect(local()).toEqual([])
})
