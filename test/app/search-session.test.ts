import { expect, test } from "vitest"
import { searchSession } from "../../src/app/open/search-session.ts"
import { answer, newSession, prompt } from "../session/new-session.ts"

const ROUNDS = 60

/** A session of few entries that take long to read, and how many of them were read. */
async function ofLargeEntries() {
  const { session } = await newSession("file")
  const large = "some words, ".repeat(60_000)
  for (let n = 0; n < ROUNDS; n++) await session.append([prompt(`ask ${n}`), answer(large)])
  const { history } = session
  const reading = { count: 0 }
  const read = history.record.bind(history)
  history.record = (row) => {
    reading.count++
    return read(row)
  }
  return { session, reading }
}

test("large entries do not keep other work waiting while a session is searched", async () => {
  const { session } = await ofLargeEntries()
  let [turns, searching] = [0, true]
  const turn = () => {
    turns++
    if (searching) setImmediate(turn)
  }
  setImmediate(turn)
  expect(await searchSession(session, { text: "nowhere", limit: 10 })).toEqual([])
  searching = false
  expect(turns).toBeGreaterThan(5)
})

test("a search of a session reads no further once its client has left", async () => {
  const { session, reading } = await ofLargeEntries()
  const client = new AbortController()
  setImmediate(() => client.abort())
  await searchSession(session, { text: "nowhere", limit: 10, signal: client.signal })
  expect(reading.count).toBeLessThan(ROUNDS)
})
