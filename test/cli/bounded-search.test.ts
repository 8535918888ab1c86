import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import { libraryApart } from "../../src/app/library/library-apart.ts"
import { everyAgentsStore } from "../../src/foreign/agents-store.ts"
import { testApp } from "../any-store.ts"
import { makeStage, round } from "./stage.ts"

const HITS = 30

/** A session in which a word occurs in every prompt. */
async function repetitive(stage = makeStage()) {
  const session = await stage.session()
  for (let i = 1; i <= HITS; i++) await round(session, `needle ${i} ${"x".repeat(1000)}`)
  await session.close()
  const store = everyAgentsStore({ home: stage.home, person: { home: join(dirname(stage.home), "person"), env: {} } })
  return { stage, id: session.id, deps: { ...testApp(stage.home, "/"), store } }
}

test("of one session, no more is read than can be shown, and all of it is counted", async () => {
  const { deps } = await repetitive()
  const { sessions } = await makeLibrary(deps).find({ text: "needle", limit: 5, ofOne: 4 })
  expect(sessions.map(({ hits, words }) => [hits.length, words])).toEqual([[4, { needle: HITS }]])
})

test("the process that searches finds the same as this one, and an aborted search finds nothing", async () => {
  const { deps, id } = await repetitive()
  const query = { text: "needle", limit: 5 }
  const shares: number[] = []
  const found: string[] = []
  const tick = async (share: number) => void shares.push(share)
  const answer = await libraryApart(deps).find(query, { tick, found: (session) => void found.push(session) })
  expect(answer).toEqual(await makeLibrary(deps).find(query))
  expect(shares.length).toBeGreaterThan(0)
  expect(found).toEqual([id])
  await expect(libraryApart(deps).find(query, { signal: AbortSignal.abort("enough") })).rejects.toBe("enough")
})

test("whoever has no more time gets what was found so far, and is told so", async () => {
  const { deps } = await repetitive()
  const answer = await makeLibrary(deps).find({ text: "needle", limit: 5, within: 0 })
  expect(answer).toMatchObject({ complete: false, sessions: [] })
})
