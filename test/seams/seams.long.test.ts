// Interleavings of every front end on one session, generated: after each step, every answer is true of the log, every front end shows
// the log's head, and the files are those of a state that was. `npm run soak -- seams` tries new ones.
import * as fc from "fast-check"
import { describe, test } from "vitest"
import { isSoak } from "../seed.ts"
import { Stage } from "./stage.ts"
import { anySteps, type Kind } from "./steps.ts"

// One long one takes less time than several: everybody opens the session once.
const [RUNS, STEPS] = isSoak ? [6, 14] : [1, 16]

describe.each<Kind>(["retcon", "claude-code", "pi"])("any interleaving of front ends in a session of %s", (kind) => {
  const plays = fc.sample(anySteps(kind, STEPS), RUNS)
  test.each(plays.map((steps, at) => [at + 1, steps] as const))("%i", { timeout: 180_000 }, async (_, steps) => {
    const stage = await Stage.open(kind)
    try {
      for (const step of steps) {
        await stage.make(step)
        await stage.check()
      }
      await stage.undoAll()
      await stage.close()
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${stage.told()}`, { cause: error })
    }
  })
})
