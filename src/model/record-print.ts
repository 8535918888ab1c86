// One print for every record: the fields that an index needs come first, in a fixed order.
import { printPart } from "./part.ts"
import type { WritableRecord } from "./record.ts"

/** One line without its newline. JSON escapes newlines, so a line is a record and a record is a line. */
export function printRecord(record: WritableRecord): string {
  return JSON.stringify(ordered(record))
}

function ordered(record: WritableRecord): object {
  switch (record.type) {
    case "message": {
      const { id, type, parent, role, origin, turn, at, content, ...rest } = record
      const front =
        turn === true ? { id, type, parent, role, origin, turn, at } : { id, type, parent, role, origin, at }
      return { ...front, content: content.map(printPart), ...rest }
    }
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
