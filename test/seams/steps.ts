// What may happen, as data: a step, two at once, or some while a turn runs.
import * as fc from "fast-check"

export const FRONT_ENDS = ["shell", "server", "plain"] as const
export type FrontEnd = (typeof FRONT_ENDS)[number]

const KINDS = ["prompt", "back", "goto", "undo", "redo", "restore", "label", "compact", "split", "rm"] as const

export interface Act {
  by: FrontEnd | "mcp"
  does: (typeof KINDS)[number] | "checkpoint"
  /** Which of what there is. */
  pick: number
  /** The server's client asks from the head that it was shown last, however old; or from what it reads now; or from anywhere. */
  expects: "shown" | "fresh" | "none"
}

export type Step =
  | { type: "one"; act: Act }
  | { type: "two"; acts: [Act, Act] }
  /** A turn that runs until it is stopped, and what is asked for meanwhile. */
  | { type: "during"; turn: FrontEnd; acts: Act[] }

const act: fc.Arbitrary<Act> = fc.record({
  by: fc.constantFrom(...FRONT_ENDS, "mcp" as const),
  does: fc.constantFrom(...KINDS, "prompt" as const, "prompt" as const, "back" as const, "undo" as const),
  pick: fc.nat(1000),
  expects: fc.constantFrom("shown" as const, "fresh" as const, "none" as const),
})

const anyAct = act.map(
  (made): Act => (made.by === "mcp" ? { ...made, does: made.pick % 2 ? "restore" : "checkpoint" } : made),
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: anyAct.map((made): Step => ({ type: "one", act: made })) },
  { weight: 3, arbitrary: fc.tuple(anyAct, anyAct).map((acts): Step => ({ type: "two", acts })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ turn: fc.constantFrom(...FRONT_ENDS), acts: fc.array(anyAct, { minLength: 1, maxLength: 2 }) })
      .map((made): Step => ({ type: "during", ...made })),
  },
)

export function anySteps(most: number): fc.Arbitrary<Step[]> {
  return fc.array(step, { minLength: most, maxLength: most })
}

export function stepWords(made: Step): string {
  const words = ({ by, does, pick, expects }: Act) => `${by} ${does} ${pick}${by === "server" ? ` (${expects})` : ""}`
  if (made.type === "one") return words(made.act)
  if (made.type === "two") return made.acts.map(words).join(" ‖ ")
  return `while ${made.turn} works: ${made.acts.map(words).join(", ")}`
}
