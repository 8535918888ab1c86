// What a voice model may ask for, and what it is told.
import { expect, it } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import { actionOf, inputOf, VOICE_FUNCTIONS } from "../../src/voice/functions.ts"
import { agentsWords } from "../../src/voice/voice.ts"

it.each([
  ["go_back", {}, { do: "go_back", rounds: 1 }],
  ["go_back", { rounds: 3 }, { do: "go_back", rounds: 3 }],
  ["go_back", { rounds: 0 }, undefined],
  ["go_back", { rounds: 1.5 }, undefined],
  ["go_back", { rounds: "two" }, undefined],
  ["converse", { text: " run it " }, { do: "converse", text: " run it " }],
  ["converse", { text: " " }, undefined],
  ["converse", {}, undefined],
  ["approve", { yes: false }, { do: "approve", yes: false }],
  ["approve", {}, undefined],
  ["redo", {}, { do: "redo" }],
  ["rm", {}, undefined],
])("a call of %s with %j", (name, input, action) => {
  expect(actionOf({ id: "1", name, input: inputOf(input) })).toEqual(action)
})

it("a call without input is one with none", () => {
  expect([inputOf(undefined), inputOf(["x"])]).toEqual([{}, {}])
})

it("the model knows what each function needs", () => {
  const needs = VOICE_FUNCTIONS.map(({ name, parameters }) => [name, parameters.required, parameters.properties])
  expect(needs).toEqual([
    ["converse", ["text"], { text: { type: "string" } }],
    ["go_back", [], { rounds: { type: "integer", minimum: 1 } }],
    ["redo", [], {}],
    ["stop", [], {}],
    ["approve", ["yes"], { yes: { type: "boolean" } }],
  ])
})

it("of a turn, what the agent said after its last call is read out; not what it said before, nor what its helpers said", () => {
  const words = agentsWords()
  const events = [
    { type: "turn-start" },
    { type: "text-delta", text: "Let me look." },
    { type: "tool-start" },
    { type: "text-delta", text: "It " },
    { type: "text-delta", text: "from a task", task: "t1" },
    { type: "text-delta", text: "works." },
  ]
  for (const event of events) words.take(event as HostEvent)
  expect(words.said()).toBe("It works.")
  words.take({ type: "turn-start" } as HostEvent)
  expect(words.said()).toBe("")
})

it("a long text is read out up to a limit", () => {
  const said = (text: string) => {
    const words = agentsWords()
    words.take({ type: "text-delta", text })
    return words.said()
  }
  expect(said("x".repeat(2000))).toBe("x".repeat(2000))
  expect(said("x".repeat(2001))).toBe(`${"x".repeat(2000)}…`)
})
