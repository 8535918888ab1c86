// What can happen to a session, as data: random sequences of these are played on a session and on the naive model.
import * as fc from "fast-check"

export type Command =
  | { do: "prompt" | "command" | "steer" | "injection" | "answer" | "checkpoint" | "late" }
  | { do: "calls"; count: number }
  | { do: "results"; pick: number; orphan: boolean }
  | { do: "state"; key: "todos" | "system" | "model" }
  | { do: "back"; rounds: number }
  | { do: "goto"; pick: number; summary: boolean }
  | { do: "start" | "undo" | "redo" | "retract" | "reopen" | "begin" | "stop" | "end" }
  | { do: "backtrack"; pick: number; facts: boolean }
  | { do: "compact"; keepRounds: number; keepTokens: number }
  | { do: "label"; pick: number; name: "one" | "two" | "" }
  | { do: "config"; key: "title" | "mode" | "allow" }
  | { do: "split"; pick: number | null; stay: boolean }
  | { do: "omit"; pick: number }

const pick = fc.nat(50)
const only = <Name extends string>(...names: Name[]) => fc.record({ do: fc.constantFrom(...names) })
const just = <Name extends string>(name: Name) => fc.constant(name)

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: only("prompt", "answer", "prompt", "answer", "checkpoint", "steer", "injection", "command") },
  { weight: 3, arbitrary: fc.record({ do: just("calls"), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: just("results"), pick, orphan: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: just("state"), key: fc.constantFrom("todos", "system", "model") }) },
  { weight: 2, arbitrary: fc.record({ do: just("back"), rounds: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: just("goto"), pick, summary: fc.boolean() }) },
  { weight: 4, arbitrary: only("undo", "redo", "retract", "start") },
  { weight: 2, arbitrary: fc.record({ do: just("backtrack"), pick, facts: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: just("compact"),
      keepRounds: fc.integer({ min: 1, max: 2 }),
      keepTokens: fc.constantFrom(0, 40, 4000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: just("label"), pick, name: fc.constantFrom("one", "two", "") }) },
  { weight: 1, arbitrary: fc.record({ do: just("config"), key: fc.constantFrom("title", "mode", "allow") }) },
  { weight: 1, arbitrary: fc.record({ do: just("split"), pick: fc.option(pick), stay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: just("omit"), pick }) },
  { weight: 3, arbitrary: only("begin", "stop", "end", "late", "reopen") },
)

/** A few undos, then a few redos, as somebody does who looks for a place. */
const anySearch = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(4))
  .map(([undos, redos]): Command[] => [
    ...Array.from({ length: undos }, (): Command => ({ do: "undo" })),
    ...Array.from({ length: redos }, (): Command => ({ do: "redo" })),
  ])

export const anyCommands = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: anyCommand.map((command) => [command]) }, { weight: 1, arbitrary: anySearch }),
    { minLength: 1, maxLength: 32, size: "max" },
  )
  .map((parts) => parts.flat())
