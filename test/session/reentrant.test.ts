// What a session calls may use it: a listener, and the code that makes a summary.
import { existsSync } from "node:fs"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { COMPACTION_LIMITS } from "../../src/history/plan/plan-compact.ts"
import { path } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import { leaseFile } from "../../src/store/file/disk/layout.ts"
import { answer, fixedParts, MADE, makeStore, newSession, outcome, prompt, STORES, told } from "./new-session.ts"

const LIMITS = { ...COMPACTION_LIMITS, keepRounds: 1, keepTokens: 0 }
const anyone = fc.array(fc.constantFrom("mine", "theirs", "both"), { minLength: 1, maxLength: 12 })

test.each(STORES)("what a listener appends comes after what we append, in a %s store", async (name) => {
  await fc.assert(
    fc.asyncProperty(anyone, async (turns) => {
      const { store, remove } = makeStore(name)
      const mine = await createSession(store, { cwd: "/project", made: MADE }, { ...fixedParts(), head: "own" })
      const theirs = await openSession(store, mine.id, { ...fixedParts(), durability: "fast" })
      const appended: Promise<EntryId[]>[] = []
      mine.on((event) => {
        if (event.type === "changed") appended.push(mine.append(prompt(`heard ${event.lines}`)))
      })
      for (const [n, who] of turns.entries()) {
        if (who !== "mine") await theirs.log.append([theirLine(theirs, n)], { durability: "fast" })
        if (who !== "theirs") appended.push(mine.append(prompt(`mine ${n}`)))
        if (n % 2 === 0) await Promise.all(appended)
      }
      const ids = (await Promise.all(appended)).flat()
      const all = path(mine.history, mine.headRow).map((row) => mine.history.id(row) as EntryId)
      expect(all.toSorted()).toEqual(ids.toSorted())
      await mine.close()
      await theirs.close()
      remove()
    }),
    { numRuns: name === "file" ? 15 : 60 },
  )
})

/** What another writer says, on a branch of its own. Its ids are far from ours. */
function theirLine({ id }: Session, n: number) {
  const theirs = `${id.slice(0, 24)}${(0xf00000000000 + n).toString(16)}` as EntryId
  return { ...prompt(`theirs ${n}`), id: theirs, parent: null, at: "2026-01-01T00:00:00.000Z" } as never
}

async function threeRounds() {
  const made = await newSession("file")
  for (const n of ["1", "2", "3"]) await made.session.append([prompt(`p${n}`), answer(`a${n}`)])
  return made
}

test("the code that makes a summary may use the session; what is said meanwhile is kept verbatim", async () => {
  const { session } = await threeRounds()
  const result = await session.compact({
    limits: LIMITS,
    summarise: async () => {
      await session.append([prompt("meanwhile"), answer("yes")])
      return "what was"
    },
  })
  expect(outcome(result)).toBe("compacted")
  expect(JSON.stringify(session.context())).toMatch(/what was.*p3.*meanwhile.*yes/)
  await session.undo()
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > p3 > a3 > meanwhile > yes")
})

test("a summary of a conversation that has moved meanwhile is made again, from where it is now", async () => {
  const { session } = await threeRounds()
  const asked: number[] = []
  const result = await session.compact({
    limits: LIMITS,
    summarise: async ({ replaced }) => {
      asked.push(replaced.length)
      if (asked.length === 1) await session.back()
      return `summary ${asked.length}`
    },
  })
  expect([outcome(result), asked]).toEqual(["compacted", [6, 4]])
  expect(JSON.stringify(session.context())).toContain("summary 2")
  const restless = await session.compact({
    limits: LIMITS,
    summarise: async () => {
      await session.undo()
      return "never right"
    },
  })
  expect(outcome(restless)).toMatch(/invalid|nothing-to-compact/)
})

test("a turn can be stopped, and a session closed, while a summary is made that never ends", async () => {
  const { session, store, parts } = await threeRounds()
  await session.beginTurn()
  let give: (summary: string) => void = () => undefined
  const compacting = session.compact({ limits: LIMITS, summarise: () => new Promise((done) => (give = done)) })
  await session.append(answer("still here"))
  expect(await session.stopTurn()).toBe(true)
  give("too late")
  expect(outcome(await compacting)).toBe("turn-ended")
  const endless = session.compact({ limits: LIMITS, summarise: () => new Promise((done) => (give = done)) })
  await session.append(answer("and here"))
  await session.close()
  give("later still")
  await expect(endless).rejects.toMatchObject({ failure: { code: "io", problem: "the session is closed" } })
  const again = await openSession(store, session.id, parts)
  expect(told(again)).toBe("p1 > a1 > p2 > a2 > p3 > a3 > still here > and here")
  await again.close()
})

test("after closing, nothing can be requested, and no lease is left behind", async () => {
  const { session } = await threeRounds()
  const turn = await session.beginTurn()
  const closing = session.close()
  await expect(session.beginTurn()).rejects.toMatchObject({ code: "io" })
  await closing
  await expect(session.beginTurn()).rejects.toMatchObject({ code: "io" })
  await expect(session.back()).rejects.toMatchObject({ code: "io" })
  await expect(turn.append(answer("late"))).rejects.toMatchObject({ code: "turn-ended" })
  await turn.end()
  expect(await session.stopTurn()).toBe(false)
  expect(existsSync(leaseFile(session.log.file as string))).toBe(false)
})

test("a listener that follows does so after what is in progress", async () => {
  const { session, store, parts } = await newSession("file", { head: "own" })
  await session.append([prompt("one"), answer("1")])
  const other = await openSession(store, session.id, parts)
  await other.append([prompt("theirs"), answer("2")])
  session.on((event) => event.type === "changed" && session.follow())
  await session.append(prompt("mine"))
  expect(told(session)).toBe("one > 1 > mine")
  await other.close()
})

test("what another process has appended can be named at once: by label, split and resolve", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append(prompt("one"))
  const other = await openSession(store, session.id, parts)
  const [first = ""] = await other.append(answer("1"))
  expect(session.resolve(first)).toBe(first)
  const [second = ""] = await other.append(answer("2"))
  await session.label(second, "theirs")
  const [third = ""] = await other.append(answer("3"))
  const { session: split } = await session.split(third)
  expect(told(split)).toBe("one > 1 > 2 > 3")
  await split.close()
  await other.close()
})
