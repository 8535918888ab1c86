// What a person may do while something runs: every moment of a turn, every way to leave it, in the first round and later.
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { prompts } from "../../src/history/tree/tree.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { PromptInput, SendAnswer, WorkSession } from "../../src/protocol/host.ts"
import { makeTestHost, type ScriptedAnswer, scriptedModel, textOf } from "../test-host.ts"
import { bash, until } from "./talk.ts"

const TASK: ScriptedAnswer = { calls: [{ name: "Task", input: { description: "sub", prompt: "below" } }] }
const LONG = "echo started; sleep 60"

interface Moment {
  /** What the model answers to the prompt "go", step by step, and how it is known that the moment has come. */
  answers: ScriptedAnswer[]
  comes: (event: HostEvent) => boolean
  /** Something of the answer was seen: the prompt is not withdrawn. */
  visible: boolean
  mode?: "default"
  /** Done once the turn runs: what is typed comes back. */
  types?: PromptInput
}

const isDelta = ({ type, task }: HostEvent) => type === "tool-delta" && task === undefined

const MOMENTS: Record<string, Moment> = {
  thinking: { answers: [{ hangs: true }], comes: ({ type }) => type === "step-start", visible: false },
  text: { answers: [{ text: "Half", hangs: true }], comes: ({ type }) => type === "text-delta", visible: true },
  tool: { answers: [bash(LONG)], comes: isDelta, visible: true },
  approval: { answers: [bash(LONG)], comes: ({ type }) => type === "approval-start", visible: true, mode: "default" },
  "queued steering": { answers: [bash(LONG)], comes: isDelta, visible: true, types: { text: "and also" } },
  compaction: {
    answers: [bash("seq 1 9000"), { ...bash("echo"), usage: { input: 30_000, output: 10 } }],
    comes: ({ type }) => type === "compaction-start",
    visible: true,
  },
  "sub-agent": {
    answers: [TASK, bash(LONG)],
    comes: ({ type, task }) => type === "tool-delta" && task !== undefined,
    visible: true,
  },
  "!": {
    answers: [{ text: "Half", hangs: true }],
    comes: ({ type }) => type === "text-delta",
    visible: true,
    types: { text: LONG, shell: true },
  },
}

const ACTIONS = ["stop", "back", "undo", "goto", "quit"] as const
type Action = (typeof ACTIONS)[number]

const ROWS = Object.keys(MOMENTS).flatMap((moment) =>
  ACTIONS.flatMap((action) => (["first", "later"] as const).map((round) => ({ moment, action, round }))),
)

interface Row {
  session: WorkSession
  events: HostEvent[]
  sent: Promise<SendAnswer>
  typed: Promise<SendAnswer> | undefined
  /** The texts of messages that wait for the next step. */
  waiting: string[]
  reopen: () => Promise<WorkSession>
}

/** Stands in the moment, in the first round or after the round "zero". */
async function standIn({ moment, round }: (typeof ROWS)[number]): Promise<Row> {
  const { answers, comes, mode, types } = MOMENTS[moment] as Moment
  let at = 0
  const model = scriptedModel(
    (request) => {
      const last = request.messages.findLast(({ role }) => role === "user")
      const text = textOf({ messages: last === undefined ? [] : [last] })
      // Also when the stop came before it was asked for: the one of the round after it is answered.
      const whole = textOf(request)
      if (whole.includes("write a summary")) return whole.includes("after") ? { text: "So far." } : { hangs: true }
      if (text.includes("after")) return { text: "On." }
      if (text.includes("zero")) return { text: "Zero." }
      return answers[at++] ?? { text: "Late." }
    },
    moment === "compaction" ? { window: 32_768 } : {},
  )
  const host = makeTestHost({ model: async () => model, mode: mode ?? "yolo" })
  const { session, events } = await host.open()
  if (round === "later") await session.send({ text: "zero" })
  const come = until(session, comes)
  const sent = session.send({ text: "go" })
  await come
  let typed: Promise<SendAnswer> | undefined
  if (types !== undefined) {
    const queued = until(session, types.shell === true ? isDelta : ({ type }) => type === "steer-queued")
    typed = session.send(types)
    await queued
  }
  const waiting = types === undefined || types.shell === true ? [] : [types.text]
  return { session, events, sent, typed, waiting, reopen: async () => (await host.open(session.id)).session }
}

const texts = (session: WorkSession) =>
  prompts(session.history, session.head).map((row) => {
    const record = session.history.record(row)
    return record?.type === "message"
      ? record.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join()
      : ""
  })

async function openCalls(session: WorkSession): Promise<string[]> {
  const open = new Set<string>()
  for (const { content } of await session.context()) {
    for (const part of content) {
      if (part.type === "tool-call") open.add(part.call)
      if (part.type === "tool-result") open.delete(part.call)
    }
  }
  return [...open]
}

const logOf = (session: WorkSession) => readFileSync(session.file as string, "utf8")

/** What the action answers, and the prompts of the path after it. */
async function act(row: Row, action: Action, visible: boolean, before: readonly string[]): Promise<string[]> {
  const { session, sent } = row
  switch (action) {
    case "stop": {
      const stopped = await session.stop()
      const waiting = row.waiting.length === 0 ? {} : { returned: row.waiting }
      expect(stopped).toEqual({ stopped: true, ...(!visible && { withdrawn: { text: "go" } }), ...waiting })
      expect(await sent).toMatchObject({ outcome: visible ? "stopped" : "withdrawn" })
      return visible ? [...before, "go"] : [...before]
    }
    case "back": {
      const answer = await session.back()
      if (before.length === 0) {
        expect(answer).toMatchObject({ outcome: "refused", failure: { code: "at-start" } })
        expect(session.status().running).toBe(true)
        expect(row.events.filter(({ type, task }) => type === "turn-end" && task === undefined)).toEqual([])
        return act(row, "stop", visible, before)
      }
      expect(answer).toMatchObject({ outcome: "moved", kind: "back", prompt: { text: "go" } })
      return [...before]
    }
    case "undo":
      expect(await session.undo()).toMatchObject({ outcome: "moved", kind: "undo", prompt: { text: "go" } })
      return [...before]
    case "goto":
      expect(await session.goto("@1")).toMatchObject({ outcome: "moved", prompt: { text: before[0] ?? "go" } })
      return []
    case "quit":
      await session.close()
      return [...before, "go"]
  }
}

describe.each(ROWS)("$moment, $action, $round round", (wanted) => {
  test("ends in order, returns what was typed, and the session continues", async () => {
    const { visible, types } = MOMENTS[wanted.moment] as Moment
    const before = wanted.round === "first" ? [] : ["zero"]
    const row = await standIn(wanted)
    const expected = await act(row, wanted.action, visible, before)
    const withdrawn = !visible && (wanted.action === "stop" || (wanted.action === "back" && before.length === 0))
    expect((await row.sent).outcome).toBe(withdrawn ? "withdrawn" : "stopped")
    const session = wanted.action === "quit" ? await row.reopen() : row.session
    if (types?.shell === true) {
      const ended = row.events.some(({ type }) => type === "tool-end")
      const wasStopped =
        wanted.action === "stop" || wanted.action === "quit" || (wanted.action === "back" && before.length === 0)
      expect(ended).toBe(wasStopped)
      if (!wasStopped) await row.session.stop()
      expect(await row.typed).toMatchObject({ outcome: "done" })
      expect(textOf({ messages: await session.context() })).toMatch(/\$ echo started; sleep 60\nstarted/)
    } else if (types !== undefined) expect(await row.typed).toEqual({ outcome: "withdrawn", input: types })
    expect(texts(session)).toEqual(expected)
    expect(await openCalls(session)).toEqual([])
    expect(session.status()).toMatchObject({ running: false, waiting: false })
    expect(row.events.filter(({ type, task }) => type === "turn-end" && task === undefined)).toHaveLength(
      before.length + 1,
    )
    const log = logOf(session)
    expect(await session.send({ text: "after" })).toMatchObject({ outcome: "done" })
    expect(logOf(session).startsWith(log)).toBe(true)
    expect(texts(session)).toEqual([...expected, "after"])
    expect(textOf({ messages: (await session.context()).slice(-1) })).toBe("On.")
  })
})
