import { expect, test } from "vitest"
import { openCalls, unended } from "../../src/history/files/unended.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { SnapshotRecord } from "../../src/model/record/record.ts"
import { answer, newSession, prompt } from "../session/new-session.ts"

test("only a call that has begun and not ended can have changed what nobody saw", async () => {
  const { session, parts } = await newSession()
  await session.append(prompt("one"))
  const [entry] = await session.append(answer("working"))
  const seen = (when: "before" | "after", call: string): SnapshotRecord => ({
    id: parts.ids.record(),
    type: "snapshot",
    at: parts.now(),
    snapshot: "0".repeat(40),
    entry: entry as EntryId,
    when,
    call,
  })
  const records = [seen("before", "ended"), seen("after", "ended"), seen("before", "killed")]
  await session.log.append(records, { durability: "fast" })
  const { history, headRow } = session
  expect(openCalls(history).map(({ record }) => record.call)).toEqual(["killed"])
  expect(unended(history, headRow, history.parent(headRow)).map(({ record }) => record.call)).toEqual(["killed"])
  expect(unended(history, headRow, headRow)).toEqual([])
})
