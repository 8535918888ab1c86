// The one printer for all records. The fields that an index needs come first, in a fixed order.
import { Buffer } from "node:buffer"
import { isEntry, isTaken, printPart, type TakenLine, type WritableRecord } from "./record.ts"

const NEWLINE = Buffer.from("\n")

/** One line without its newline. JSON escapes newlines, so a line is a record and a record is a line. */
export function printRecord(record: WritableRecord): string {
  return JSON.stringify(ordered(record))
}

export interface PrintedLines {
  bytes: Uint8Array
  /** Bytes of each record, excluding its newline. */
  lengths: number[]
}

/** The records as lines, each with its newline, preceded by this many newlines. */
export function printLines(records: readonly (WritableRecord | TakenLine)[], newlines: number): PrintedLines {
  const lines = records.map((record) =>
    isTaken(record) ? Buffer.concat([record.line, NEWLINE]) : Buffer.from(`${printRecord(record)}\n`),
  )
  return {
    bytes: Buffer.concat([Buffer.from("\n".repeat(newlines)), ...lines]),
    lengths: lines.map((line) => line.length - 1),
  }
}

function ordered(record: WritableRecord): object {
  if (record.type === "message") {
    const { id, type, parent, role, origin, turn, at, content, ...rest } = record
    const inTurn = turn === true ? { turn } : {}
    return { id, type, parent, role, origin, ...inTurn, at, content: content.map(printPart), ...rest }
  }
  const { id, type, at, ...rest } = record
  return isEntry(record) ? { id, type, parent: record.parent, at, ...rest } : { id, type, at, ...rest }
}
