import * as fc from "fast-check"
import { describe, test } from "vitest"
import { anyCommands, makeStore, STORES } from "./new-session.ts"
import { Play } from "./play.ts"

const RUNS = { memory: 80, file: 25 }

describe("whatever happens to a session, it is what whole copies and an editor's undo would be", () => {
  test.each(STORES)("in a %s store", async (name) => {
    await fc.assert(
      fc.asyncProperty(anyCommands, async (commands) => {
        const { store, remove } = makeStore(name)
        const play = await Play.begin(store)
        try {
          await play.run(commands)
        } finally {
          await play.session.close()
          remove()
        }
      }),
      { numRuns: RUNS[name] },
    )
  })
})
