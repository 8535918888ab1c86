// Reads what `retcon export --to json` wrote: the whole tree, every branch with its labels, and the head.
import { type EntryId, parseEntryId, parseSessionId, type SessionId } from "../../model/id.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { type Entry, isEntry, type OperationRecord } from "../../model/record/record.ts"
import { parseRecord } from "../../model/record/record-parse.ts"
import { EXPORT_VERSION } from "../../model/record/version.ts"

type Exported = JsonObject & { entries: Json[] }

export function isExported(value: Json): value is Exported {
  return isObject(value) && value.format === "retcon-export" && Array.isArray(value.entries)
}

export interface ExportedTree {
  /** Entries and operations in the order of the log. `raw`: the text of an entry from a newer version. */
  records: { record: Entry | OperationRecord; raw: string }[]
  head: EntryId | null
  labels: { entry: EntryId; name: string }[]
  title: string | undefined
  session: SessionId | undefined
  /** How many lines of the source could not be read and are missing here. */
  damaged: number
}

export type ReadExport = { ok: true; tree: ExportedTree } | { ok: false; problem: string }

/** Contract: reads everything, or returns what is wrong and where. Operations lose what they did to files. */
export function readExported(value: Exported): ReadExport {
  if (value.version !== EXPORT_VERSION) return wrong(`it is an export of version ${JSON.stringify(value.version)}`)
  const ids = new Set<string>()
  const entries: ExportedTree["records"] = []
  const operations: ExportedTree["records"] = []
  for (const each of [...value.entries, ...listOf(value.operations)]) {
    const raw = JSON.stringify(each)
    const parsed = parseRecord(raw)
    const name = isObject(each) ? JSON.stringify(each.id) : raw.slice(0, 40)
    if (!parsed.ok) return wrong(`entry ${name}: ${parsed.problem}`)
    const record = parsed.value
    if (ids.has(record.id)) return wrong(`entry ${name} appears twice`)
    ids.add(record.id)
    if (isEntry(record)) entries.push({ record, raw })
    else if (record.type === "operation") operations.push({ record: withoutFiles(record), raw })
    else return wrong(`entry ${name}: a ${record.type} record is not an entry`)
  }
  if (entries.length === 0) return wrong("it contains no messages")
  const head = value.head === null ? null : parseEntryId(value.head)
  if (head === undefined || (head !== null && !ids.has(head))) return wrong("its head is not one of its entries")
  const { session } = value
  return {
    ok: true,
    tree: {
      records: inOrder(entries, operations),
      head,
      labels: listOf(value.labels).flatMap(labelOf),
      title: isObject(session) && typeof session.title === "string" ? session.title : undefined,
      session: isObject(session) ? parseSessionId(session.id) : undefined,
      damaged: listOf(value.damaged).length,
    },
  }
}

function wrong(problem: string): { ok: false; problem: string } {
  return { ok: false, problem }
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function labelOf(value: Json): ExportedTree["labels"] {
  const entry = isObject(value) ? parseEntryId(value.entry) : undefined
  return entry !== undefined && isObject(value) && typeof value.name === "string" ? [{ entry, name: value.name }] : []
}

function withoutFiles({ files: _files, ...operation }: OperationRecord): OperationRecord {
  return operation
}

/** Ids contain the time, which shows between which entries a move was made; it is never placed before its target. */
function inOrder(entries: ExportedTree["records"], operations: ExportedTree["records"]): ExportedTree["records"] {
  const records: ExportedTree["records"] = []
  const there = new Set<string>()
  let next = 0
  const movesBefore = (id: string) => {
    const move = operations[next]?.record
    if (move?.type !== "operation" || move.id > id) return false
    return move.head.to === null || there.has(move.head.to)
  }
  for (const entry of entries) {
    while (movesBefore(entry.record.id)) records.push(...operations.slice(next, ++next))
    records.push(entry)
    there.add(entry.record.id)
  }
  return [...records, ...operations.slice(next)]
}
