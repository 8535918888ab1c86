import { describe, expect, test } from "vitest"
import { openSession } from "../../src/session/session.ts"
import {
  answer,
  callsDraft,
  checkpointDraft,
  lines,
  newSession,
  outcome,
  prompt,
  resultsDraft,
  stateDraft,
  told,
} from "./new-session.ts"

/** One round of three steps, a checkpoint before each. */
async function steps() {
  const made = await newSession()
  const { session } = made
  await session.append([stateDraft("system", "Be kind."), prompt("p1"), { type: "checkpoint", n: 0 }])
  await session.append([callsDraft("x"), resultsDraft("x"), checkpointDraft(session)])
  await session.append([callsDraft("y"), resultsDraft("y"), checkpointDraft(session)])
  await session.append(callsDraft("back"))
  return made
}

describe("an agent that goes back to its checkpoint", () => {
  test("keeps the prompt, and sees exactly: prompt, marker, note; also after reopening", async () => {
    const { session, store, parts } = await steps()
    const result = await session.backtrack({ checkpoint: 0, note: "Only b.ts matters.", facts: ["b.ts is changed"] })
    expect(result).toMatchObject({ outcome: "moved", discards: 5, prompt: { text: "p1" } })
    const expected = [
      { role: "system", content: [{ type: "text", text: "Be kind." }] },
      {
        role: "user",
        content: [
          { type: "text", text: "p1" },
          { type: "text", text: "<system>Checkpoint 0</system>" },
          {
            type: "text",
            text: "<system>You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it.</system>\n<note>\nOnly b.ts matters.\n</note>",
          },
          { type: "text", text: "<system>Still true, from retcon's own records:\n- b.ts is changed</system>" },
        ],
      },
    ]
    expect(session.context({ checkpoints: "shown" })).toEqual(expected)
    const reopened = await openSession(store, session.id, parts)
    expect(reopened.context({ checkpoints: "shown" })).toEqual(expected)
    expect(reopened.nextCheckpoint()).toBe(1)
    await reopened.close()
  })

  test("continues counting from there", async () => {
    const { session } = await steps()
    await session.backtrack({ checkpoint: 1, note: "n" })
    expect(session.nextCheckpoint()).toBe(2)
    await session.append([checkpointDraft(session), answer("a")])
    expect(told(session)).toBe(
      "state > p1 > checkpoint 0 > tool-call x > tool-result x > checkpoint 1 > note > checkpoint 2 > a",
    )
  })

  test("records what it left and how much", async () => {
    const { session } = await steps()
    const left = session.head
    await session.backtrack({ checkpoint: 1, note: "n" })
    expect(session.history.record(session.headRow)).toMatchObject({ type: "note", left, discards: 3, checkpoint: 1 })
    expect(session.history.record(session.history.size - 1)).toMatchObject({ kind: "backtrack", by: "agent" })
  })

  test("twice to the same checkpoint leaves a note each time, under the checkpoint", async () => {
    const { session } = await steps()
    await session.backtrack({ checkpoint: 0, note: "first" })
    await session.append(answer("a"))
    await session.backtrack({ checkpoint: 0, note: "second" })
    expect(told(session)).toBe("state > p1 > checkpoint 0 > note")
    expect(JSON.stringify(session.context())).not.toContain("first")
  })

  test("is taken back by one undo, which a person may do", async () => {
    const { session } = await steps()
    const before = [session.head, session.context()]
    await session.backtrack({ checkpoint: 0, note: "n" })
    await session.undo()
    expect([session.head, session.context()]).toEqual(before)
    await session.redo()
    expect(told(session)).toBe("state > p1 > checkpoint 0 > note")
  })

  test.each([-1, 3, 99, 0.5])("cannot name checkpoint %d, and writes nothing then", async (checkpoint) => {
    const { session } = await steps()
    const before = lines(session)
    const result = await session.backtrack({ checkpoint, note: "n" })
    expect(result).toMatchObject({ failure: { code: "not-found", possible: ["0", "1", "2"] } })
    expect(lines(session)).toEqual(before)
  })

  test("cannot name a checkpoint that it has gone back beyond, nor one before a compaction", async () => {
    const { session } = await steps()
    await session.backtrack({ checkpoint: 0, note: "n" })
    expect(outcome(await session.backtrack({ checkpoint: 1, note: "n" }))).toBe("not-found")
    await session.undo()
    await session.append(resultsDraft("back"))
    await session.append([prompt("p2"), answer("a2"), prompt("p3"), answer("a3")])
    expect(outcome(await session.compact({ summarise: () => "s" }))).toBe("compacted")
    expect(outcome(await session.backtrack({ checkpoint: 1, note: "n" }))).toBe("not-found")
  })

  test("does not show numbers when nobody offers to go back", async () => {
    const { session } = await steps()
    expect(JSON.stringify(session.context())).not.toContain("Checkpoint")
  })

  test("keeps its turn: what follows is appended by the same turn", async () => {
    const { session } = await steps()
    const turn = await session.beginTurn()
    await session.backtrack({ checkpoint: 0, note: "n" })
    await turn.append(answer("better"))
    expect(told(session)).toBe("state > p1 > checkpoint 0 > note > better")
  })
})
