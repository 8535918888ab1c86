import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import { libraryApart } from "../../src/app/library/library-apart.ts"
import { bestFound } from "../../src/app/search/best-found.ts"
import { type Found, findEach } from "../../src/app/search/find-each.ts"
import { searchApart } from "../../src/app/search/search-apart.ts"
import { everyAgentsStore } from "../../src/foreign/agents-store.ts"
import type { SessionId } from "../../src/model/id.ts"
import { testApp } from "../any-store.ts"
import { makeStage, round } from "./stage.ts"

const HITS = 30

/** A session in which a word occurs in every prompt. */
async function repetitive(stage = makeStage()) {
  const session = await stage.session()
  for (let i = 1; i <= HITS; i++) await round(session, `needle ${i} ${"x".repeat(1000)}`)
  await session.close()
  const store = everyAgentsStore({ home: stage.home, person: { home: join(dirname(stage.home), "person"), env: {} } })
  return { stage, store, home: stage.home, sessions: await store.list() }
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = []
  for await (const value of values) list.push(value)
  return list
}

test("of one session, no more is read than can be shown", async () => {
  const { store, sessions } = await repetitive()
  const [few] = await all(findEach(store, sessions, { text: "needle", cases: "any", most: 3 }))
  expect(few?.hits.map(({ match, after }) => match + after.slice(0, 2))).toEqual(["needle 1", "needle 2", "needle 3"])
  expect(few?.more).toBe(true)
  const [whole] = await all(findEach(store, sessions, { text: "needle", cases: "any", most: HITS }))
  expect([whole?.hits.length, whole?.more]).toEqual([HITS, false])
})

test("what was not counted is not given as a number", async () => {
  const { stage } = await repetitive()
  await repetitive(stage)
  const { out } = await stage.retcon(["search", "needle", "--limit", "10"])
  expect(out.match(/and at least 15 more hits in this session/g)).toHaveLength(2)
  const counted = await stage.retcon(["search", "needle", "--limit", "50"])
  expect(counted.out.match(/and 25 more hits in this session/g)).toHaveLength(2)
})

test("the process that searches finds the same as this one, and an aborted search finds nothing", async () => {
  const { store, home, sessions } = await repetitive()
  const deps = { ...testApp(home, "/"), store }
  const options = { text: "needle", cases: "any", most: 5 } as const
  const here = await all(findEach(store, sessions, options))
  const there = await all(searchApart(deps, sessions, options, new AbortController().signal))
  expect(there).toEqual(here)
  expect(await all(searchApart(deps, sessions, options, AbortSignal.abort()))).toEqual([])
  const shares: number[] = []
  const tick = async (share: number) => void shares.push(share)
  const query = { text: "needle", limit: 5 }
  expect(await libraryApart(deps).find(query, { tick })).toEqual(await makeLibrary(deps).find(query))
  expect(shares.length).toBeGreaterThan(0)
  await expect(libraryApart(deps).find(query, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough")
})

test("of many sessions, those are kept that can be shown, best first", async () => {
  const now = Date.parse("2026-01-01T00:00:00.000Z")
  async function* many(): AsyncGenerator<Found> {
    for (let n = 0; n < 500; n++) {
      const hits = Array.from({ length: 1 + (n % 7) }, () => ({}) as Found["hits"][number])
      const updated = new Date(now - ((n * 7919) % 500) * 86_400_000).toISOString()
      yield { session: { id: `s${n}` as SessionId, updated } as Found["session"], hits, more: false }
    }
  }
  const { best, others } = await bestFound(many(), { most: 50, now })
  expect(best.length + others).toBe(500)
  expect(best.length).toBeLessThanOrEqual(50)
  const all500 = await bestFound(many(), { most: 1_000_000, now })
  expect(all500.others).toBe(0)
  expect(best.map(({ session }) => session.id)).toEqual(
    all500.best.slice(0, best.length).map(({ session }) => session.id),
  )
})
