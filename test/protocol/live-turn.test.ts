// What somebody who joins in the middle of a turn sees: all that was said and done and is not in the tree yet.
import { expect, test } from "vitest"
import { type HostEvent, OWN_COMMAND } from "../../src/protocol/event.ts"
import { makeLive } from "../../src/protocol/live-turn.ts"

/** Events as far as they matter here. */
type Event = { type: HostEvent["type"]; [field: string]: unknown }

function after(...events: Event[]) {
  const live = makeLive()
  for (const event of events) live.follow(event as HostEvent)
  return live
}

const START: Event = { type: "turn-start", entry: "e1" }
const text = (said: string, more: object = {}): Event => ({ type: "text-delta", text: said, ...more })
const tool = (call: string, name = "Bash"): Event => ({ type: "tool-start", call, name, title: `run ${call}` })
const ask = (approval: string, more: object = {}): Event => ({ type: "approval-start", approval, ...more })

test("nothing runs: there is nothing to join", () => {
  expect(makeLive().now(false)).toBeUndefined()
  expect(makeLive().now(true)).toEqual({ prompt: null, text: "", reasoning: "", tools: [], approvals: [], queued: [] })
})

test("what the model says is complete, and a sub-agent's words are not part of it", () => {
  const live = after(
    START,
    text("Let "),
    { type: "reasoning-delta", text: "Hm." },
    text("inner", { task: "t1" }),
    text("me."),
  )
  expect(live.now(true)).toMatchObject({ prompt: "e1", text: "Let me.", reasoning: "Hm." })
})

test.each<Event>([{ type: "step-end" }, { type: "retry" }])(
  "an answer that is complete or asked for again: %j",
  (event) => {
    const live = after(START, text("one"), { type: "reasoning-delta", text: "Hm." }, tool("c1"), event)
    expect(live.now(true)).toMatchObject({ prompt: "e1", text: "", reasoning: "" })
    expect(live.now(true)?.tools).toHaveLength(1)
  },
)

test("calls of a step stay until the next one, with what they print", () => {
  const prints: Event = { type: "tool-delta", call: "c1", text: "a" }
  const live = after(START, tool("c1"), prints, { ...prints, text: "b" }, tool("c2"))
  expect(live.now(true)?.tools).toEqual([
    { call: "c1", name: "Bash", title: "run c1", output: "ab", ended: false },
    { call: "c2", name: "Bash", title: "run c2", output: "", ended: false },
  ])
  live.follow({ type: "tool-end", call: "c1", output: "all of it" } as HostEvent)
  expect(live.now(true)?.tools[0]).toMatchObject({ output: "all of it", ended: true })
  live.follow({ type: "step-start" } as HostEvent)
  expect(live.now(true)?.tools).toEqual([])
})

test("of long output the end is kept", () => {
  const start = "x".repeat(65_536)
  const live = after(START, tool("c1"), { type: "tool-delta", call: "c1", text: start })
  expect(live.now(true)?.tools[0]?.output).toBe(start)
  live.follow({ type: "tool-delta", call: "c1", text: "the end" })
  expect(live.now(true)?.tools[0]?.output).toBe(`${start.slice(7)}the end`)
  live.follow({ type: "tool-end", call: "c1", output: `y${start}` } as HostEvent)
  expect(live.now(true)?.tools[0]?.output).toBe(start)
})

test("a command of the person keeps running from step to step, and after the turn, until it ends", () => {
  const live = after(
    START,
    tool("own", OWN_COMMAND),
    tool("c1"),
    { type: "step-start" },
    { type: "turn-end", outcome: "done" },
  )
  expect(live.now(false)).toMatchObject({ prompt: null, tools: [{ call: "own" }] })
  live.follow({ type: "tool-end", call: "own", output: "" } as HostEvent)
  expect(live.now(false)).toBeUndefined()
})

test("a question waits until it is answered or the turn ends, also one of a sub-agent", () => {
  const live = after(START, ask("a1"), ask("a2", { task: "t1" }), ask("a3"))
  live.follow({ type: "approval-end", approval: "a1" } as HostEvent)
  expect(live.now(true)?.approvals.map(({ approval }) => approval)).toEqual(["a2", "a3"])
  live.follow({ type: "turn-end", outcome: "stopped" } as HostEvent)
  expect(live.now(true)?.approvals).toEqual([])
})

test("what was typed meanwhile waits in order, until it is given or taken back", () => {
  const typed = ["one", "two", "three", "four"].map((each): Event => ({ type: "steer-queued", text: each }))
  const live = after(START, ...typed, { type: "steer-given" }, { type: "steer-withdrawn" })
  expect(live.now(true)?.queued).toEqual(["two", "three"])
  live.follow({ type: "turn-end", outcome: "done" } as HostEvent)
  expect(live.now(true)?.queued).toEqual(["three"])
  live.follow({ type: "turn-end", outcome: "failed" } as HostEvent)
  expect(live.now(true)?.queued).toEqual([])
})

test("a client that joins continues from there, and what it had before is forgotten", () => {
  const first = after(START, text("one"), { type: "reasoning-delta", text: "Hm." }, tool("c1"), ask("a1"), {
    type: "steer-queued",
    text: "q",
  })
  const second = after({ ...START, entry: "e0" }, text("old"), tool("own", OWN_COMMAND), ask("a0"))
  second.join(first.now(true))
  expect(second.now(true)).toEqual(first.now(true))
  second.follow(text(" two") as HostEvent)
  second.follow({ type: "tool-delta", call: "c1", text: "out" })
  expect(second.now(true)).toMatchObject({ text: "one two", tools: [{ output: "out" }] })
  expect(first.now(true)).toMatchObject({ text: "one", tools: [{ output: "" }] })
  second.join(undefined)
  expect(second.now(true)).toEqual(makeLive().now(true))
})

test("a new turn begins with nothing of the one before, and its prompt is the new one", () => {
  const live = after(START, text("one"), tool("c1"), { type: "turn-start", entry: "e2" })
  expect(live.now(true)).toMatchObject({ prompt: "e2", text: "", tools: [] })
})
