// What the progress line and the queue show, for any order of events.
import { expect, test } from "vitest"
import { IDLE, isBusy, nextTurn, type TurnEvent, tokensWritten } from "../../src/tui/app/turn-state.ts"

const START = { type: "turn-start", entry: "e", text: "go" } as unknown as TurnEvent
const end = (outcome: string) => ({ type: "turn-end", outcome, totals: {} }) as unknown as TurnEvent
const tool = (type: "tool-start" | "tool-end", name: string) => ({ type, name, call: "c" }) as unknown as TurnEvent
const asks = (approval: string) => ({ type: "approval-start", approval, name: "Bash" }) as unknown as TurnEvent
const answered = (approval: string, answer: string) =>
  ({ type: "approval-end", approval, answer }) as unknown as TurnEvent

function after(...events: TurnEvent[]) {
  const effects = []
  let state = IDLE
  for (const event of events) {
    const next = nextTurn(state, event)
    state = next.state
    effects.push(...next.effects)
  }
  return { ...state, effects }
}

test("a stop before the turn begins stops it when it begins, and not the one after it", () => {
  expect(after({ type: "send" }, { type: "stop-wanted" }, START).effects).toEqual([{ do: "stop" }])
  expect(after({ type: "stop-wanted" }, START).effects).toEqual([])
  const once = after({ type: "send" }, { type: "stop-wanted" }, { type: "sent", starts: true }, { type: "send" }, START)
  expect(once.effects).toEqual([])
})

test("the person's own command does not hide what the agent does, and is shown when the agent is done", () => {
  expect(after(tool("tool-start", "!")).doing).toBe("Running your command")
  expect(after(START, tool("tool-start", "!")).doing).toBe("Thinking")
  const done = after(START, tool("tool-start", "!"), end("done"))
  expect(done.doing).toBe("Running your command")
  expect(isBusy(done)).toBe(true)
  expect(after(tool("tool-start", "!"), tool("tool-end", "!")).doing).toBeUndefined()
})

test("questions are asked one after the other, and a sub-agent's count too", () => {
  const two = after(START, asks("1"), { ...asks("2"), task: {} } as unknown as TurnEvent)
  expect(two.questions.map(({ approval }) => approval)).toEqual(["1", "2"])
  const one = after(START, asks("1"), asks("2"), answered("1", "once"))
  expect([one.questions.length, one.doing]).toEqual([1, "Waiting for your answer"])
  expect(after(START, asks("1"), answered("1", "once")).doing).toBe("Running Bash")
  expect(after(START, asks("1"), answered("1", "no")).doing).toBe("Continuing")
})

test("what waits is given in order, the newest can be taken back, and nothing waits after the turn", () => {
  const waits = (text: string): TurnEvent => ({ type: "steer-queued", text })
  const given = { type: "steer-given", entry: "e" } as unknown as TurnEvent
  expect(after(START, waits("a"), waits("b"), given).queued).toEqual(["b"])
  expect(after(START, waits("a"), waits("b"), waits("a"), { type: "taken-back", text: "a" }).queued).toEqual(["a", "b"])
  expect(after(START, waits("a"), end("stopped")).queued).toEqual([])
})

test("tokens are those reported, and an estimate for what streams", () => {
  const text: TurnEvent = { type: "text-delta", text: "12345678" }
  const step = { type: "step-end", entry: "e", usage: { output: 10 } } as unknown as TurnEvent
  expect(tokensWritten(after(START, text))).toBe(2)
  expect(tokensWritten(after(START, text, step, text))).toBe(12)
  expect(tokensWritten(after(START, text, step, START))).toBe(0)
})
