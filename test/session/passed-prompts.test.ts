// An agent that goes back past what the person asked: the prompts stay the person's.
import { expect, test } from "vitest"
import { askedPrompts, passedBy } from "../../src/history/tree/asked.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import { answer, checkpointDraft, newSession, prompt, type StoreName, told } from "./new-session.ts"

/** Three rounds; in the third, the agent goes back to its checkpoint in the first, and answers. */
async function wentBack(store: StoreName = "memory") {
  const made = await newSession(store)
  const { session } = made
  await session.append([prompt("p1"), checkpointDraft(session), answer("a1")])
  await session.append([prompt("p2"), answer("a2")])
  await session.append(prompt("p3"))
  await session.backtrack({ checkpoint: 0, note: "Only b.ts matters." })
  await session.append(answer("a4"))
  return made
}

function asked({ history, headRow }: Session): string[] {
  return askedPrompts(history, headRow).map(({ prompt: row, passed }) => {
    const record = history.record(row)
    const [part] = record?.type === "message" ? record.content : []
    return `${part?.type === "text" ? part.text : ""}${passed ? " (passed)" : ""}`
  })
}

test("what the agent went back past is still listed as asked, in order, also after reopening", async () => {
  const { session, store, parts } = await wentBack("file")
  expect(told(session)).toBe("p1 > checkpoint 0 > note > a4")
  expect(asked(session)).toEqual(["p1", "p2 (passed)", "p3 (passed)"])
  expect(session.files.rounds().map(({ passed }) => passed)).toEqual([false, true, true])
  await session.append([prompt("p4"), answer("a5")])
  expect(asked(session)).toEqual(["p1", "p2 (passed)", "p3 (passed)", "p4"])
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect(asked(reopened)).toEqual(["p1", "p2 (passed)", "p3 (passed)", "p4"])
  await reopened.close()
})

test("back goes to before the last thing the person said, gives it back, and says that it was passed", async () => {
  const { session } = await wentBack()
  const there = session.head
  expect(await session.back({})).toMatchObject({ outcome: "moved", prompt: { text: "p3", passed: true } })
  expect(told(session)).toBe("p1 > checkpoint 0 > a1 > p2 > a2")
  expect(await session.back({})).toMatchObject({ outcome: "moved", prompt: { text: "p2" } })
  expect(told(session)).toBe("p1 > checkpoint 0 > a1")
  await session.undo()
  await session.undo()
  expect(session.head).toBe(there)
  expect(await session.back({ rounds: 2 })).toMatchObject({ prompt: { text: "p2", passed: true } })
  await session.undo()
  expect(await session.back({ rounds: 3 })).toMatchObject({ failure: { code: "too-few-rounds", possible: 2 } })
})

test("a Backtrack within its round passes nothing, and a Backtrack after another passes what both left", async () => {
  const { session } = await newSession()
  await session.append([prompt("p1"), checkpointDraft(session), answer("a1")])
  await session.backtrack({ checkpoint: 0, note: "again" })
  expect(asked(session)).toEqual(["p1"])
  await session.append([answer("a2"), prompt("p2"), answer("a3")])
  await session.backtrack({ checkpoint: 0, note: "again" })
  const second = session.headRow
  await session.append([answer("a4"), prompt("p3"), answer("a5")])
  await session.backtrack({ checkpoint: 0, note: "and again" })
  expect(asked(session)).toEqual(["p1", "p2 (passed)", "p3 (passed)"])
  expect(passedBy(session.history, second)).toHaveLength(1)
  expect(passedBy(session.history, session.headRow)).toHaveLength(2)
})

test("what a person leaves with a summary is left by the person", async () => {
  const { session } = await newSession()
  const [first] = await session.append([prompt("p1"), answer("a1")])
  await session.append([prompt("p2"), answer("a2")])
  expect(first).toBeDefined()
  await session.goto(session.history.id(session.history.rowOf(first ?? "") + 1), { summary: "Nothing came of it." })
  expect(asked(session)).toEqual(["p1"])
})
