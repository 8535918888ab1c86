// Interleavings of every front end on one session, generated: after each step, every answer is true of the log, every front end shows
// the log's head, and the files are those of a state that was. `npm run soak` tries new ones (RETCON_TEST_SEED).
import * as fc from "fast-check"
import { describe, test } from "vitest"
import { Stage } from "./stage.ts"
import { anySteps } from "./steps.ts"

const SOAK = process.env.RETCON_TEST_SEED !== undefined
const [RUNS, STEPS] = SOAK ? [12, 14] : [4, 8]

const plays = fc.sample(anySteps(STEPS), RUNS)

describe("any interleaving of front ends", () => {
  test.each(plays.map((steps, at) => [at + 1, steps] as const))("%i", async (_, steps) => {
    const stage = await Stage.open()
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
