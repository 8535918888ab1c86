import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { openSession } from "../../src/session/session.ts"
import {
  answer,
  anyCommands,
  type Command,
  makeStore,
  newSession,
  outcome,
  prompt,
  STORES,
  told,
} from "./new-session.ts"
import { Play } from "./play.ts"

const RUNS = { memory: 60, file: 20 }

/** While one runs a turn the other may not move, and what is split off is nobody else's. */
const ALONE: readonly Command["do"][] = ["begin", "stop", "end", "late", "reopen", "split"]
const anyOf = anyCommands.map((commands) => commands.filter((command) => !ALONE.includes(command.do)))
const anyWriting = fc.record({ before: anyOf, after: fc.array(fc.tuple(fc.boolean(), anyOf), { maxLength: 5 }) })

describe("two writers with heads of their own each have their own conversation, with its own undo", () => {
  test.each(STORES)("in a %s store", async (name) => {
    await fc.assert(
      fc.asyncProperty(anyWriting, async ({ before, after }) => {
        const { store, remove } = makeStore(name)
        const first = await Play.begin(store, "own")
        for (const command of before.slice(0, 12)) {
          await first.step(command)
          first.learnIds()
        }
        const second = await Play.beside(first)
        try {
          for (const [one, commands] of after) {
            for (const command of commands.slice(0, 4)) {
              await (one ? first : second).step(command)
              for (const each of [first, second]) await each.checkApart()
            }
          }
          const again = await openSession(store, first.session.id, first.parts)
          const last = [first, second].find(({ session }) => session.head === again.head)
          expect(outcome(await again.undo({ dryRun: true }))).toBe(
            last?.naive.undos.length === 0 ? "nothing-to-undo" : "planned",
          )
          await again.close()
        } finally {
          await first.session.close()
          await second.session.close()
          remove()
        }
      }),
      { numRuns: RUNS[name] },
    )
  })
})

test("undo takes back our own round, and not what another writer has said since", async () => {
  const { session, store, parts } = await newSession("file", { head: "own" })
  await session.append([prompt("one"), answer("1")])
  await session.append([prompt("mine"), answer("2")])
  const other = await openSession(store, session.id, parts)
  await other.append([prompt("theirs"), answer("3")])
  expect(await session.undo()).toMatchObject({ outcome: "moved", prompt: { text: "mine" } })
  expect(told(session)).toBe("one > 1")
  expect(told(other)).toBe("one > 1 > mine > 2 > theirs > 3")
  await session.redo()
  expect(told(session)).toBe("one > 1 > mine > 2")
  await other.undo()
  expect(told(other)).toBe("one > 1 > mine > 2")
  await session.undo()
  await session.undo()
  expect(outcome(await session.undo())).toBe("nothing-to-undo")
  await other.close()
})
