// Imports a whole tree as a new session: its entries with their ids, its moves, its labels, its head.
import { entryId } from "../history/tree/tree.ts"
import type { EntryId } from "../model/id.ts"
import type { Entry, OperationRecord, WritableRecord } from "../model/record/record.ts"
import { discarded, type SessionLog, type SessionStore } from "../store/port.ts"
import { createLog, type NewSession, type Session, sessionOn } from "./session.ts"
import type { SessionOptions } from "./state/open-session.ts"
import { systemOptions } from "./state/system.ts"

export interface TreeToImport {
  /** In log order. `raw`: the line of an entry that only a newer version knows. */
  records: readonly { record: Entry | OperationRecord; raw: string }[]
  head: EntryId | null
  labels: readonly { entry: EntryId; name: string }[]
}

/** Records per write. */
const BATCH = 1000

/** Contract: the ids are unique. Imports everything, or throws a RetconError and leaves no session behind. */
export async function importTree(
  store: SessionStore,
  wanted: NewSession,
  tree: TreeToImport,
  options: SessionOptions = systemOptions(),
): Promise<Session> {
  const log = await createLog(store, wanted, options)
  try {
    await writeRecords(log, tree.records)
    const at = options.now()
    const extras: WritableRecord[] = tree.labels.map(({ entry, name }) => {
      return { id: options.ids.record(), type: "label", at, entry, name }
    })
    const stands = entryId(log.history, log.history.head)
    if (stands !== tree.head) {
      const head = { from: stands, to: tree.head }
      extras.push({ id: options.ids.record(), type: "operation", at, kind: "goto", by: "person", head })
    }
    await log.append(extras, { durability: options.durability ?? "sync" })
    return sessionOn(store, log, options)
  } catch (error) {
    return discarded(store, log, error)
  }
}

async function writeRecords(log: SessionLog, records: TreeToImport["records"]): Promise<void> {
  let batch: WritableRecord[] = []
  const write = async () => {
    await log.append(batch, { durability: "fast" })
    batch = []
  }
  for (const { record, raw } of records) {
    if (record.type !== "unknown-entry") batch.push(record)
    if (record.type === "unknown-entry" || batch.length === BATCH) await write()
    if (record.type === "unknown-entry") await log.copy([Buffer.from(raw)])
  }
  await write()
}
