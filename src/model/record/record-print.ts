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
  return `${beforeContent(record)}${JSON.stringify(parts.map(printPart))}${afterContent(record)}`
}

/** What stands before the content of a message. */
export function beforeContent(record: MessageRecord): string {
  const parent = record.parent === null ? "null" : quoted(record.parent)
  const turn = record.turn === true ? ',"turn":true' : ""
  return `{"id":${quoted(record.id)},"type":"message","parent":${parent},"role":"${record.role}","origin":"${record.origin}"${turn},"at":${quoted(record.at)},"content":`
}

/** What stands after it. */
export function afterContent(record: MessageRecord): string {
  let text = ""
  for (const field in record) {
    if (FRONT.has(field)) continue
    const value = JSON.stringify(record[field as keyof MessageRecord])
    if (value !== undefined) text += `,${JSON.stringify(field)}:${value}`
  }
  return `${text}}`
}

/** Ids and times have nothing to escape, and to see that is quicker than to escape it. */
function quoted(text: string): string {
  return /^[\w:.+-]*$/.test(text) ? `"${text}"` : JSON.stringify(text)
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
