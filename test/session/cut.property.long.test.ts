// A crash leaves a part of what was being written. What was whole before it is there, with its undo and redo, and goes on.
import { rmSync } from "node:fs"
import * as fc from "fast-check"
import { test } from "vitest"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import { anyCommands, type Command, makeStore } from "./new-session.ts"
import { Play } from "./play.ts"

/** A crash ends turns anyway, and a split is another log. */
const OTHER: readonly Command["do"][] = ["begin", "stop", "end", "late", "reopen", "split"]
const anyCut = fc.option(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { freq: 2 })
const anyCrashes = fc.record({
  commands: anyCommands.map((commands) => commands.filter((command) => !OTHER.includes(command.do))),
  cuts: fc.array(anyCut, { minLength: 8, maxLength: 40 }),
  index: fc.boolean(),
})

test("cut off anywhere in what any command writes, again and again, a session is what the whole lines make it", async () => {
  await fc.assert(
    fc.asyncProperty(anyCrashes, async ({ commands, cuts, index }) => {
      const { store, remove } = makeStore("file")
      const play = await Play.begin(store)
      try {
        for (const [at, command] of commands.entries()) {
          const cut = cuts[at % cuts.length] ?? null
          if (cut === null) await play.step(command)
          else await play.cut(command, cut)
          if (!index) rmSync(indexFile(play.session.log.file ?? ""), { force: true })
          await play.check()
        }
      } finally {
        await play.session.close()
        remove()
      }
    }),
    { numRuns: 15 },
  )
})
