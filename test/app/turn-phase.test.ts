// What happens to a turn, in whatever order: it is answered once, and told to end if it was told to begin.
import { expect, test } from "vitest"
import { nextPhase, type PhaseChange, STARTING } from "../../src/app/turn/turn-phase.ts"
import type { SendAnswer } from "../../src/protocol/host.ts"

const done = { outcome: "done", entry: "e" } as SendAnswer
const stopped = { outcome: "stopped", entry: "e" } as SendAnswer
const RECORDED: PhaseChange = { type: "recorded" }
const broke: PhaseChange = { type: "broke", error: new Error("no room") }
const ended = (answer: SendAnswer): PhaseChange => ({ type: "ended", answer })

/** What each change led to. */
function after(...changes: PhaseChange[]): string[] {
  let state = STARTING
  return changes.map((change) => {
    const next = nextPhase(state, change)
    state = next.state
    return next.effects.map((effect) => effect.do).join(" ")
  })
}

test("a turn that ends well goes on with what was typed too late; any other gives it back", () => {
  expect(after(RECORDED, ended(done))).toEqual(["begin", "begin tell-end answer go-on"])
  expect(after(RECORDED, ended(stopped))).toEqual(["begin", "begin tell-end answer give-back"])
})

test("a turn that breaks is told to end only if it was told to begin", () => {
  expect(after(broke)).toEqual(["begin reject give-back"])
  expect(after(RECORDED, broke)).toEqual(["begin", "begin tell-end reject give-back"])
})

test("a turn is answered once, however late it ends", () => {
  for (const late of [ended(done), broke, RECORDED, { type: "stop" } as const])
    expect(after(RECORDED, ended(stopped), late)[2]).toBe("")
})

test("a prompt that stays is not forgotten by another stop", () => {
  const { state } = nextPhase(STARTING, { type: "stop", prompt: "stays" })
  expect(nextPhase(state, { type: "stop" }).state).toEqual({ is: "starting", promptStays: true })
})
