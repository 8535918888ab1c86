// Another agent's session in the terminal: listed and previewed, continued in a copy, or resumed in its own program.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test, vi } from "vitest"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { HostDeps } from "../../src/host/host-deps.ts"
import type { SessionId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/part.ts"
import { openToWork } from "../../src/protocol/open-to-work.ts"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { testStore } from "../any-store.ts"
import { PI_NAME, putPiSession } from "../cli/pi-session.ts"
import { makeTestHost, type TestHost } from "../test-host.ts"
import { plainTalk } from "./plain-talk.ts"
import { makeStage } from "./stage.ts"

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A host in a folder in which only pi has a session. */
function hostWithPi(changes: Partial<HostDeps> = {}): TestHost & { store: AnyStore; file: string; bytes: Buffer } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-others-")))
  folders.push(folder)
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const host = makeTestHost({ ...changes, store })
  const file = putPiSession({ folder, cwd: host.root })
  return { ...host, store, file, bytes: readFileSync(file) }
}

async function ours({ host }: TestHost) {
  return (await host.list()).filter(({ agent }) => agent === "retcon")
}

describe("the list of sessions", () => {
  test("-c asks where only another agent has sessions, and continues in a copy", async () => {
    const host = hostWithPi()
    const stage = await makeStage({
      with: host,
      columns: 120,
      parts: { start: { kind: "continue" } },
      first: /u1 hello/,
    })
    expect(stage.text()).toMatch(/pi u1 hello/)
    stage.press("enter")
    await stage.sees("retcon never changes a session of pi. Continue here in a copy?")
    stage.press("enter")
    await stage.sees("This is a copy; the session of pi stays as it is.")
    await stage.sees("u3b new branch")
    stage.enter("say going on")
    await stage.idle(4)
    expect(await ours(host)).toMatchObject([{ prompts: 4, cwd: host.root, from: { as: "split" } }])
    expect(readFileSync(host.file)).toEqual(host.bytes)
  })

  test("r leaves, and prints the command that resumes it in its own program", async () => {
    const host = hostWithPi()
    const stage = await makeStage({ with: host, columns: 120, parts: { start: { kind: "resume" } }, first: /u1 hello/ })
    stage.press("enter")
    await stage.sees("resume it in its own program")
    stage.type("r")
    await stage.ended
    await stage.sees(`Resume it in pi with: pi --session ${PI_NAME}`)
    expect(await ours(host)).toEqual([])
  })

  test("/resume has them beside ours; leaving the list changes nothing", async () => {
    const host = hostWithPi()
    const stage = await makeStage({ with: host, columns: 120 })
    stage.enter("say mine")
    await stage.idle(1)
    stage.enter("/resume")
    await stage.sees(/pi u1 hello/)
    expect(stage.text()).toContain("say mine")
    stage.press("escape")
    await stage.idle(1)
    expect(await ours(host)).toHaveLength(1)
  })
})

test("-r ID of another agent's session opens a copy, and says so", async () => {
  const host = hostWithPi()
  const [listed] = await host.host.list({ agents: "all" })
  const start = { kind: "resume" as const, ...(listed && { id: listed.id }) }
  const stage = await makeStage({ with: host, columns: 120, parts: { start } })
  await stage.sees("This is a copy; the session of pi stays as it is.")
  stage.enter("/quit")
  await stage.ended
  // Nothing was said: no copy is left, and none is offered.
  expect(await ours(host)).toEqual([])
  expect(stage.text()).not.toContain("Continue with")
})

test("as lines: -c lists them with what resumes each, /resume ID continues in a copy", async () => {
  const host = hostWithPi()
  const said = await plainTalk(
    host,
    [
      ["/resume ID", "/resume 553265"],
      ["This is a copy; the session of pi stays as it is.", "say going on"],
      ["going on", "/quit"],
    ],
    { kind: "continue" },
  )
  expect(said).toMatch(
    /Other agents have sessions here:\n553265 \(pi\): u1 hello, .*\n {2}Resume it in pi with: pi --session/,
  )
  expect((await ours(host)).some(({ prompts }) => prompts === 4)).toBe(true)
  expect(readFileSync(host.file)).toEqual(host.bytes)
})

test("one that its agent has no more is continued from our copy of it", async () => {
  const host = hostWithPi()
  await host.store.foreign.keep({})
  rmSync(host.file)
  const said = await plainTalk(
    host,
    [
      ["/resume ID", "/resume 553265"],
      ["This is a copy; the session of pi stays as it is.", "/quit"],
    ],
    { kind: "continue" },
  )
  expect(said).toMatch(
    /It is gone from pi since .*\. Bring it back with: retcon keep --restore 553265 \(in a shell\)\n/,
  )
  expect(said).toContain("Last prompt: u3b new branch.")
  expect((await ours(host)).filter(({ from }) => from?.as === "split")).toEqual([])
})

test("what was typed and not sent is worth a copy", async () => {
  const host = hostWithPi()
  const [listed] = await host.host.list({ agents: "all" })
  const { session } = await openToWork(host.host, listed?.id as SessionId, host.root)
  expect(session.unused).toBe(true)
  await session.close({ text: "half a thought" })
  expect(await ours(host)).toHaveLength(1)
})

test("the copy works with the system prompt of retcon, not with that of the other agent", async () => {
  const host = hostWithPi()
  const [listed] = await host.host.list({ agents: "all" })
  const { session: copy } = await openToWork(host.host, listed?.id as SessionId, host.root)
  await copy.send({ text: "say hello" })
  const system = copy.context().filter(({ role }) => role === "system")
  expect(system.map(({ content }) => plainText(content))).toEqual(["You are a careful engineer."])
  await copy.close()
})

test("a host opens it to look at: the tree, labels and titles; nothing can be said in it", async () => {
  const model = practiceModel()
  const asked = vi.spyOn(model, "step")
  const host = hostWithPi({ model: async () => model })
  const [listed] = await host.host.list({ agents: "all" })
  const { session } = await host.open(listed?.id)
  expect(session.agent).toBe("pi")
  expect(session.rounds().map(({ text }) => text)).toEqual(["u1 hello", "u2 TOOLWRITE please", "u3b new branch"])
  await session.label("head", "here")
  await session.title("looked at")
  const words = "belongs to another agent"
  const answer = await session.send({ text: "hello" }).catch((error: Error) => ({ message: error.message }))
  expect(answer).toMatchObject({ message: expect.stringContaining(words) })
  await expect(session.back()).resolves.toMatchObject({ outcome: "refused", failure: { code: "not-honoured" } })
  await expect(session.compact()).resolves.toMatchObject({ outcome: "refused" })
  expect(asked).not.toHaveBeenCalled()
  expect(readFileSync(host.file)).toEqual(host.bytes)
})
