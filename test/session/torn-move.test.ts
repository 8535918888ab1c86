// A move that leaves an entry is two lines. Whatever of them reaches the disk, the move was made or it was not.
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { COMPACTION_LIMITS } from "../../src/history/plan/plan-compact.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import { answer, checkpointDraft, newSession, outcome, prompt, told } from "./new-session.ts"

const MOVES: [string, (session: Session) => Promise<{ outcome: string }>][] = [
  ["backtrack", (session) => session.backtrack({ checkpoint: 0, note: "found out", facts: ["a.ts is changed"] })],
  ["goto with a summary", (session) => session.goto("@2", { summary: "found out" })],
  ["compaction", (session) => session.compact({ summarise: () => "what was", limits: LIMITS })],
]
const LIMITS = { ...COMPACTION_LIMITS, keepRounds: 1, keepTokens: 0 }

test.each(MOVES)("a %s cut off anywhere is made or not made, and undo leads where it led", async (_, move) => {
  const { session, store, parts } = await newSession("file")
  await session.append(prompt("one"))
  await session.append([checkpointDraft(session), answer("1")])
  await session.append([prompt("two"), answer("2")])
  const file = session.log.file as string
  const before = { told: told(session), context: JSON.stringify(session.context()), bytes: statSync(file).size }
  expect(outcome(await move(session))).toMatch(/moved|compacted/)
  const after = { told: told(session), context: JSON.stringify(session.context()) }
  await session.close()
  const whole = readFileSync(file)
  const index = readFileSync(indexFile(file))
  const between = whole.indexOf(10, before.bytes)
  const cuts = [before.bytes, before.bytes + 1, between - 1, between, between + 1, whole.length - 2, whole.length - 1]
  for (let cut = before.bytes; cut < whole.length; cut += 41) cuts.push(cut)
  for (const cut of [...cuts, whole.length]) {
    writeFileSync(file, whole)
    writeFileSync(indexFile(file), index)
    truncateSync(file, cut)
    const again = await openSession(store, session.id, parts)
    // The last newline is no part of the record.
    const made = cut >= whole.length - 1
    expect([cut, told(again)]).toEqual([cut, made ? after.told : before.told])
    expect(JSON.stringify(again.context())).toBe(made ? after.context : before.context)
    await again.undo()
    expect([cut, told(again)]).toEqual([cut, made ? before.told : "one > checkpoint 0 > 1"])
    await again.redo()
    expect([cut, told(again)]).toEqual([cut, made ? after.told : before.told])
    await again.close()
  }
})
