// One print for every record: the fields that an index needs come first, in a fixed order.
import { type Part, printPart } from "./part.ts"
import type { MessageRecord, WritableRecord } from "./record.ts"

/** One line without its newline. JSON escapes newlines, so a line is a record and a record is a line. */
export function printRecord(record: WritableRecord): string {
  return record.type === "message" ? printMessage(record, record.content) : JSON.stringify(ordered(record))
}

/** In this order, before all others. */
const FRONT = new Set(["id", "type", "parent", "role", "origin", "turn", "at", "content"])

/** A message as it would be printed if it had this content. Field by field: copying the record takes far longer. */
export function printMessage(record: MessageRecord, parts: readonly Part[]): string {
  let text = `{"id":${JSON.stringify(record.id)},"type":"message","parent":${JSON.stringify(record.parent)}`
  text += `,"role":"${record.role}","origin":"${record.origin}"${record.turn === true ? ',"turn":true' : ""}`
  text += `,"at":${JSON.stringify(record.at)},"content":${JSON.stringify(parts.map(printPart))}`
  for (const field in record) {
    if (FRONT.has(field)) continue
    const value = JSON.stringify(record[field as keyof MessageRecord])
    if (value !== undefined) text += `,${JSON.stringify(field)}:${value}`
  }
  return `${text}}`
}

function ordered(record: Exclude<WritableRecord, MessageRecord>): object {
  switch (record.type) {
    case "checkpoint":
    case "note":
    case "compaction":
    case "state":
    case "merge": {
      const { id, type, parent, at, ...rest } = record
      return { id, type, parent, at, ...rest }
    }
    case "session":
    case "operation":
    case "snapshot":
    case "label":
    case "config": {
      const { id, type, at, ...rest } = record
      return { id, type, at, ...rest }
    }
  }
}
