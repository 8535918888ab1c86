import { expect, test } from "vitest"
import { COMPACTION_LIMITS } from "../../src/history/plan/plan-compact.ts"
import { openSession } from "../../src/session/session.ts"
import { answer, lines, newSession, outcome, prompt, told } from "./new-session.ts"

async function rounds(count: number) {
  const made = await newSession()
  for (let n = 1; n <= count; n++) await made.session.append([prompt(`p${n}`), answer(`a${n}`)])
  return made
}

const limits = { ...COMPACTION_LIMITS, keepRounds: 1 }

test("compacting replaces the older part by a summary and keeps the last round", async () => {
  const { session } = await rounds(3)
  const result = await session.compact({ limits, summarise: ({ replaced }) => `of ${replaced.length}` })
  expect(result).toMatchObject({ outcome: "compacted", replaced: 4 })
  const texts = session.context().map(({ content }) => content.map((part) => ("text" in part ? part.text : "")).at(-1))
  expect(texts).toEqual(["p2", "p3", "a3"])
  expect(JSON.stringify(session.context()[0])).toContain("of 4")
})

test("compacting again, also after a restart, summarises the summary and brings nothing back", async () => {
  const { session, store, parts } = await rounds(3)
  await session.compact({ limits, summarise: () => "first" })
  await session.append([prompt("p4"), answer("a4"), prompt("p5"), answer("a5")])
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  let seen: string[] = []
  await reopened.compact({
    limits: { ...limits, promptTokens: 0 },
    summarise: ({ replaced }) => {
      seen = replaced.map((row) => reopened.history.record(row)?.type ?? "")
      return "second"
    },
  })
  expect(seen).toEqual(["compaction", "message", "message", "message", "message"])
  const text = JSON.stringify(reopened.context())
  expect(text).toContain("second")
  for (const gone of ["first", '"p1"', '"p3"', '"a4"']) expect(text).not.toContain(gone)
  await reopened.close()
  const third = await openSession(store, session.id, parts)
  expect(JSON.stringify(third.context())).toBe(text)
  await third.close()
})

test("too little to compact asks for no summary and writes nothing", async () => {
  const { session } = await rounds(1)
  const before = lines(session)
  let asked = false
  const result = await session.compact({
    limits,
    summarise: () => {
      asked = true
      return "s"
    },
  })
  expect([outcome(result), asked, lines(session)]).toEqual(["nothing-to-compact", false, before])
})

test("an empty summary counts as failed, and a summariser that throws leaves everything as it was", async () => {
  const { session } = await rounds(3)
  const before = lines(session)
  expect(outcome(await session.compact({ limits, summarise: () => " \n" }))).toBe("invalid")
  await expect(session.compact({ limits, summarise: () => Promise.reject(new Error("no model")) })).rejects.toThrow(
    "no model",
  )
  expect(lines(session)).toEqual(before)
  await session.append(prompt("p4"))
  expect(told(session).endsWith("p4")).toBe(true)
})

test("undo un-compacts, a second undo goes further, and redo compacts again", async () => {
  const { session } = await rounds(3)
  const whole = session.context()
  await session.compact({ limits, summarise: () => "s" })
  const short = session.context()
  await session.undo()
  expect(session.context()).toEqual(whole)
  await session.undo()
  expect(told(session)).toBe("p1 > a1 > p2 > a2")
  await session.redo()
  await session.redo()
  expect(session.context()).toEqual(short)
})
