// What every Host keeps, in process or over HTTP. A front end is written once, against this.
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { planBack } from "../../src/history/plan/plan-back.ts"
import { NONE, path, prompts } from "../../src/history/tree/tree.ts"
import { plainText } from "../../src/model/record/record.ts"
import type { Host, HostSession } from "../../src/protocol/host.ts"
import type { NumberedEvent } from "../../src/protocol/numbered-event.ts"
import type { Script, ScriptedAnswer } from "../test-host.ts"
import { MID_STREAM, type MidStream, midStreamAnswers } from "./mid-stream.ts"
import { bash, type talk, until } from "./talk.ts"

type Changes = Parameters<typeof talk>[1]

export interface ContractHost {
  /** The one that is tested. */
  host: Host
  /** The same again, as another front end has it. */
  again: () => Host
  /** The folder that sessions work in. */
  root: string
}

export type MakeContractHost = (answers: ScriptedAnswer[] | Script, changes?: Changes) => ContractHost

export function hostContract(make: MakeContractHost): void {
  async function opened(answers: ScriptedAnswer[] | Script, changes?: Changes) {
    const at = make(answers, changes)
    const session = await at.host.create({ cwd: at.root })
    const heard: NumberedEvent[] = []
    session.on((told) => heard.push(told))
    return { ...at, session, heard }
  }

  async function texts(session: HostSession): Promise<string[]> {
    const rows = prompts(session.history, session.head)
    await session.load(rows)
    return rows.map((row) => {
      const record = session.history.record(row)
      return record?.type === "message" ? plainText(record.content) : ""
    })
  }

  /** Over HTTP, what happened elsewhere arrives a moment later. */
  async function seen(session: HostSession, met: () => boolean): Promise<void> {
    if (met()) return
    await new Promise<void>((settle) => {
      const forget = session.on(() => {
        if (!met()) return
        forget()
        settle()
      })
    })
  }

  describe("a conversation", () => {
    test("what is sent and answered is in the tree when the answer is there, and its events came in order", async () => {
      const { session, heard } = await opened([{ text: "One." }, { text: "Two." }])
      expect(await session.send({ text: "one" })).toMatchObject({ outcome: "done" })
      expect(await session.send({ text: "two" })).toMatchObject({ outcome: "done" })
      expect(await texts(session)).toEqual(["one", "two"])
      const types = heard.map(({ event }) => event.type)
      for (const type of ["turn-start", "text-delta", "step-end", "turn-end"]) expect(types).toContain(type)
      expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, i) => i + (heard[0]?.seq ?? 0)))
      const ends = heard.filter(({ event }) => event.type === "turn-end").map(({ turn }) => turn)
      expect(ends[1]).toBe((ends[0] ?? 0) + 1)
      await seen(session, () => !session.status().running && session.status().round === 2)
    })

    test("bodies are there after load, and isHere says so", async () => {
      const { host, session } = await opened([{ text: "One." }])
      await session.send({ text: "one" })
      await session.close()
      const again = await host.open(session.id)
      const rows = path(again.history, again.head)
      await again.load(rows)
      expect(rows.every((row) => again.history.isHere(row))).toBe(true)
      expect(await texts(again)).toEqual(["one"])
    })

    test("a message typed while the agent works is given to it, or taken back", async () => {
      const { session } = await opened([bash("while [ ! -e go ]; do sleep 0.02; done"), { text: "Done." }])
      const running = until(session, ({ type }) => type === "tool-start")
      const sent = session.send({ text: "go" })
      await running
      const queued = until(session, ({ type }) => type === "steer-queued")
      const steered = session.send({ text: "and this" })
      await queued
      const second = until(session, ({ type }) => type === "steer-queued")
      const taken = session.send({ text: "not this" })
      await second
      expect(session.live()).toMatchObject({ queued: ["and this", "not this"] })
      expect(await session.unsend()).toMatchObject({ text: "not this" })
      expect(await taken).toMatchObject({ outcome: "withdrawn", input: { text: "not this" } })
      writeFileSync(join(session.cwd, "go"), "")
      expect(await steered).toMatchObject({ outcome: "steered" })
      expect(await sent).toMatchObject({ outcome: "done" })
    })

    test("stopped before anything was seen, the prompt comes back", async () => {
      const { session } = await opened([{ hangs: true }])
      const begun = until(session, ({ type }) => type === "step-start")
      const sent = session.send({ text: "go" })
      await begun
      expect(await session.stop()).toMatchObject({ stopped: true, withdrawn: { text: "go" } })
      expect(await sent).toMatchObject({ outcome: "withdrawn", input: { text: "go" } })
    })

    test("a question is answered once; a second answer is too late", async () => {
      const { session, root } = await opened([bash("touch made"), { text: "Done." }], { mode: "default" })
      const asked = until(session, ({ type }) => type === "approval-start")
      const sent = session.send({ text: "go" })
      const question = await asked
      if (question.type !== "approval-start") throw new Error("nothing was asked")
      expect(session.live()?.approvals).toEqual([question])
      expect(await session.answer(question.approval, { answer: "once" })).toBe(true)
      expect(await session.answer(question.approval, { answer: "no" })).toBe(false)
      expect(await sent).toMatchObject({ outcome: "done" })
      expect(existsSync(join(root, "made"))).toBe(true)
    })

    test("a client that joins late has what is running, and hears the rest", async () => {
      const { session, again } = await opened([{ text: "Half", hangs: true }])
      const writing = until(session, ({ type }) => type === "text-delta")
      const sent = session.send({ text: "go" })
      await writing
      const late = await again().open(session.id)
      expect(late.live()).toMatchObject({ text: "Half" })
      expect(late.status().running).toBe(true)
      const ended = until(late, ({ type }) => type === "turn-end")
      await session.stop()
      await ended
      expect(late.live()).toBeUndefined()
      await sent
      await late.close()
    })
  })

  describe("moves", () => {
    test("back, undo, redo and goto, with the tree and the plans that are here", async () => {
      const { session } = await opened((_, n) => ({ text: `Answer ${n}.` }))
      for (const text of ["one", "two", "three"]) await session.send({ text })
      expect(planBack(session.history, session.head, 1)).toMatchObject({ ok: true })
      expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "three" } })
      await seen(session, () => session.status().round === 2)
      expect(await texts(session)).toEqual(["one", "two"])
      expect(await session.undo()).toMatchObject({ outcome: "moved", kind: "undo" })
      await seen(session, () => session.status().round === 3)
      expect(await session.redo()).toMatchObject({ outcome: "moved", kind: "redo" })
      expect(await session.goto("@1")).toMatchObject({ outcome: "moved", prompt: { text: "one" } })
      await seen(session, () => session.head === NONE || session.history.round(session.head) === 0)
    })

    test("a dry run changes nothing; at the start there is nothing to go back to", async () => {
      const { session } = await opened([{ text: "One." }])
      await session.send({ text: "one" })
      const { head } = session
      expect(await session.goto(null, { dryRun: true })).toMatchObject({ outcome: "planned" })
      expect(await session.back()).toMatchObject({ outcome: "refused", failure: { code: "at-start" } })
      await expect(session.goto("no-such-label")).resolves.toMatchObject({ outcome: "refused" })
      expect(session.head).toBe(head)
    })

    test("if one front end moves, all do", async () => {
      const { session, again } = await opened((_, n) => ({ text: `Answer ${n}.` }))
      for (const text of ["one", "two"]) await session.send({ text })
      const other = await again().open(session.id)
      const moved = until(session, ({ type }) => type === "moved")
      await other.back()
      await moved
      expect(session.history.id(session.head)).toBe(other.history.id(other.head))
      await other.close()
    })
  })

  describe("names and settings", () => {
    test("labels, the title and the mode are known to everyone as soon as they are announced", async () => {
      const { session, again } = await opened([{ text: "One." }])
      await session.send({ text: "one" })
      const other = await again().open(session.id)
      const labelled = until(other, ({ type }) => type === "labelled")
      const entry = await session.label("head", "here")
      await labelled
      expect(other.labels().get(entry)).toBe("here")
      const titled = until(other, (event) => event.type === "configured" && event.key === "title")
      await session.title("A name")
      await titled
      expect(other.config().get("title")).toBe("A name")
      const changed = until(other, (event) => event.type === "status" && event.status.mode === "autoEdit")
      await session.setMode("autoEdit")
      await changed
      expect(other.status().mode).toBe("autoEdit")
      await session.label("here", "")
      await seen(other, () => other.labels().size === 0)
      await other.close()
    })

    test("rules of the session are added and revoked", async () => {
      const { session } = await opened([])
      await session.allow("Bash(npm test)")
      expect((await session.permissions()).allow).toMatchObject([{ rule: "Bash(npm test)", from: "session" }])
      expect(await session.revoke("Bash(npm test)")).toBe(true)
      expect(await session.revoke("Bash(npm test)")).toBe(false)
      await expect(session.allow("Nonsense(")).rejects.toMatchObject({ code: "invalid" })
    })
  })

  describe("looking", () => {
    test("rounds with their files, the context, a search and a diff", async () => {
      const { session } = await opened([bash("echo hello > a.txt"), { text: `Wrote a needle${"!".repeat(300)}` }])
      await session.send({ text: "make it" })
      expect(await session.rounds()).toMatchObject([{ text: "make it", round: 1, files: [{ path: "a.txt" }] }])
      expect((await session.context()).at(-1)).toMatchObject({ role: "assistant" })
      const [hit] = await session.search("NEEDLE", 5)
      expect(hit).toMatchObject({ where: "agent", before: "Wrote a ", match: "needle", after: "!".repeat(200) })
      expect(hit && session.history.id(hit.row)).toBe(hit?.entry)
      expect(await session.diff({ from: "@1" })).toMatchObject({ outcome: "diff", files: [{ path: "a.txt" }] })
      expect(await session.state("nothing")).toBeUndefined()
    })

    test("the list has it, and a copy that was split off", async () => {
      const { host, session } = await opened([{ text: "One." }])
      await session.send({ text: "one" })
      const { session: copy } = await session.split()
      expect((await host.list()).sessions.map(({ id }) => id).sort()).toEqual([session.id, copy].sort())
      expect((await host.list({ limit: 1 })).sessions).toHaveLength(1)
      const split = await host.open(copy)
      expect(await texts(split)).toEqual(["one"])
      await split.close()
    })

    test("a client that listens to the list, and then reads it, learns of everything that changes afterwards", async () => {
      const { host, session } = await opened([], { lookEvery: 20 })
      let told: () => void = () => undefined
      const titled = new Promise<void>((settle) => (told = settle))
      const forget = host.on((event) => {
        if (event.type === "session-changed" && event.session.title === "A name") told()
      })
      expect((await host.list()).sessions.map(({ id }) => id)).toEqual([session.id])
      await session.title("A name")
      await titled
      forget()
    })

    test("what does not exist is refused in the same words everywhere", async () => {
      const { host } = make([])
      await expect(host.open("0192f0c0-0000-7000-8000-000000000000" as never)).rejects.toMatchObject({
        code: "not-found",
      })
    })
  })

  describe.each(MID_STREAM)("back $name", (row: MidStream) => {
    test("what was pending is gone, and nothing of the turn is shown after the answer", async () => {
      const { session, heard, again } = await opened(midStreamAnswers(row), { mode: row.asks ? "default" : "yolo" })
      for (const text of row.before) await session.send({ text })
      const other = row.clients === 2 ? await again().open(session.id) : undefined
      const come = until(session, row.comes)
      const sent = session.send({ text: "go" })
      await come
      const turn = session.live()?.turn ?? 0
      const [mine, theirs] = await Promise.all([session.back(), other?.back()])
      const answers = [mine, theirs].flatMap((each) => each ?? [])
      const told = answers.map((each) =>
        each.outcome === "refused" ? { code: each.failure.code } : { prompt: each.prompt?.text },
      )
      expect(told).toEqual(expect.arrayContaining([...row.told]))
      if (row.after.includes("go")) {
        expect(session.live()).toMatchObject({ turn })
        await session.stop()
        await sent
        return
      }
      expect(session.live()).toBeUndefined()
      const after = heard.length
      expect(await sent).toMatchObject({ outcome: "stopped" })
      await seen(session, () => session.history.round(session.head) === row.after.length)
      expect(await texts(session)).toEqual(row.after)
      expect(await session.send({ text: "after" })).toMatchObject({ outcome: "done" })
      const late = heard.slice(after).filter(({ event, turn: of }) => of <= turn && event.type.endsWith("-delta"))
      expect(late).toEqual([])
      await other?.close()
    })
  })
}
