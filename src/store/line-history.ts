// The history of a log whose lines a store keeps in its own way: what a custom store needs besides a place for bytes.
import { Buffer } from "node:buffer"
import { replay } from "../history/rows/replay.ts"
import { Rows } from "../history/rows/rows.ts"
import { directoryOf } from "../history/tree/directory.ts"
import type { History, Row } from "../history/tree/tree.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { Parsed } from "../model/json.ts"
import { bareFacts, emptyFacts, factsOf, slowFacts } from "../model/record/facts.ts"
import {
  isTaken,
  KIND,
  type LogRecord,
  type SessionRecord,
  type TakenLine,
  type WritableRecord,
} from "../model/record/record.ts"
import { parseRecord } from "../model/record/record-parse.ts"
import { printRecord } from "../model/record/record-print.ts"
import { accessTo } from "../model/record/version.ts"
import { mustBeRecords, printable } from "../model/record/writable.ts"
import { type LogSummary, summarise } from "./log-summary.ts"
import type { SessionSummary } from "./port.ts"

export interface LineHistory extends History {
  /**
   * Adds the line that follows the last one, without its newline. Contract: lines come in order, each once, and never
   * change. `record`: the line's content, from a caller that has just created it with a new id; it is not parsed again. A line of
   * another log is.
   */
  add(line: Uint8Array, record?: WritableRecord | TakenLine): Row
  /** Why a row cannot be read; undefined if it can. */
  problem(row: Row): string | undefined
  /** What a list shows of it. */
  summary(): LogSummary
}

/** `line` returns a line that was added; it is called when the content is needed. */
export function lineHistory(line: (row: Row) => Uint8Array): LineHistory {
  return new LinesRead(line)
}

const facts = emptyFacts()

class LinesRead extends Rows implements LineHistory {
  readonly #line: (row: Row) => Uint8Array

  constructor(line: (row: Row) => Uint8Array) {
    super()
    this.#line = line
  }

  add(line: Uint8Array, record?: WritableRecord | TakenLine): Row {
    const own = record === undefined || isTaken(record) ? undefined : record
    if (own !== undefined) factsOf(own, facts)
    else if (line.length === 0) bareFacts(facts, KIND.blank)
    else slowFacts(asText(line), facts)
    return replay(this, facts, { offset: this.size, length: 0 }, own !== undefined)
  }

  record(row: Row): LogRecord | undefined {
    const read = this.#read(row)
    return read.ok ? read.value : undefined
  }

  problem(row: Row): string | undefined {
    const read = this.#read(row)
    return read.ok || this.kind(row) === KIND.blank ? undefined : read.problem
  }

  summary(): LogSummary {
    const { opening: _, ...summary } = summarise(this)
    return summary
  }

  #read(row: Row): Parsed<LogRecord> {
    const parsed = parseRecord(asText(this.#line(row)))
    if (!parsed.ok || this.kind(row) !== KIND.damaged) return parsed
    return { ok: false, problem: `an earlier record has the id ${parsed.value.id}` }
  }
}

function asText(line: Uint8Array): string {
  return Buffer.from(line.buffer, line.byteOffset, line.length).toString("utf8")
}

/** The lines of records, without newlines. Contract: throws `invalid` for what could not be read back. */
export function recordLines(records: readonly (WritableRecord | TakenLine)[]): Uint8Array[] {
  mustBeRecords(records)
  return printable(() => records.map((record) => (isTaken(record) ? record.line : Buffer.from(printRecord(record)))))
}

/**
 * The first line, and what it allows. `place`: where the log is, for messages. Throws `not-a-session`, `format-newer`.
 */
export function readHeader(history: History, place: string): { header: SessionRecord; access: "full" | "read-only" } {
  const header = history.size === 0 ? undefined : history.record(0)
  if (header?.type !== "session") {
    throw new RetconError({ code: "not-a-session", path: place, problem: "line 1 is not a session record" })
  }
  const access = accessTo(header)
  if (access === "refused") throw new RetconError({ code: "format-newer", path: place, reads: header.reads })
  return { header, access }
}

/** What a list shows of a log; sort with `newestFirst`. */
export function listed(
  { header, history }: { header: SessionRecord; history: LineHistory },
  { file, bytes }: Pick<SessionSummary, "file" | "bytes">,
): SessionSummary {
  const cwd = directoryOf({ header, history })
  return { ...history.summary(), id: header.id, file, cwd, bytes, from: header.from }
}
