// Which snapshot shows the files at an entry, from the log alone.
import { expect, test } from "vitest"
import { snapshotAt } from "../../src/history/files/snapshot-at.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { SnapshotRecord, WritableRecord } from "../../src/model/record/record.ts"
import { createSession } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"

test("a prompt has the first snapshot before it, even if its agent reported it again later", async () => {
  const { ids, now } = systemOptions()
  const made = { by: "retcon", version: "0" } as never
  const session = await createSession(memoryStore(), { cwd: "/", made }, systemOptions())
  const round = async () => (await session.append([promptDraft("ask"), answerDraft("do")])) as [EntryId, EntryId]
  const take = async (snapshot: string, entry: EntryId, facts: Pick<SnapshotRecord, "when"> & { call?: string }) => {
    const record = { id: ids.record(), type: "snapshot", at: now(), entry, snapshot, store: "s", ...facts }
    await session.log.append([record as unknown as WritableRecord], { durability: "fast" })
  }
  const [first, answer] = await round()
  await take("s1", first, { when: "before" })
  await take("s2", answer, { when: "before", call: "c1" })
  await take("s3", answer, { when: "after", call: "c1" })
  await take("s4", first, { when: "before" })
  const [second] = await round()
  await take("s5", second, { when: "before" })
  const at = (entry: EntryId) => snapshotAt(session.history, session.history.rowOf(entry))
  expect([at(first), at(answer), at(second)]).toEqual(["s1", "s4", "s5"])
  await session.close()
})
