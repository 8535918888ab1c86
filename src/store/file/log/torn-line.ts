// A last line without a newline: it is still being written, or a crash tore it. A torn line is never changed. The next
// append seals it with a newline and a blank line, which tells every reader to examine the line before it closely.
import { replay } from "../../../history/rows/replay.ts"
import type { Rows } from "../../../history/rows/rows.ts"
import { emptyFacts, LONGEST_LINE, quickFacts, sameFacts, slowFacts } from "../../../model/record/facts.ts"
import { readAt } from "../disk/read-at.ts"

const NEWLINE = 10
const RETURN = 13

/** The end of a log after its last newline. */
export interface OpenTail {
  offset: number
  length: number
  /** Whether it is a complete record nevertheless. Then it has a row. */
  whole: boolean
}

/** What is between `offset` and the end of the log at `size`. Adds its row if it is a complete record. */
export function openTail(fd: number, rows: Rows, offset: number, size: number): OpenTail {
  const length = size - offset
  if (length > LONGEST_LINE) return { offset, length, whole: false }
  const facts = emptyFacts()
  const whole = slowFacts(readAt(fd, offset, length).toString("utf8"), facts) === undefined
  if (whole) replay(rows, facts, { offset, length })
  return { offset, length, whole }
}

export interface Seal {
  /** Newlines to write before the records. */
  newlines: number
  /** How many of them form a blank line. */
  blank: number
}

/**
 * What seals the end of the log before `records` are appended. If others write too (`shared`), one of them may be
 * killed while we wait for the file: its torn line must not swallow the first record of several.
 */
export function sealBefore(records: number, tail: OpenTail | undefined, shared: boolean): Seal {
  if (tail === undefined) {
    const blank = shared && records > 1 ? 1 : 0
    return { newlines: blank, blank }
  }
  return tail.whole ? { newlines: 1, blank: 0 } : { newlines: 2, blank: 1 }
}

/** Whether a blank line after the last row shows that its line, known only by its first bytes, is torn. */
export function turnsOutTorn(fd: number, rows: Rows, end: number): boolean {
  const row = rows.size - 1
  if (row < 0 || rows.length(row) > LONGEST_LINE || readAt(fd, end, 1)[0] !== NEWLINE) return false
  const bytes = readAt(fd, rows.offset(row), rows.length(row))
  const [quick, slow] = [emptyFacts(), emptyFacts()]
  const stop = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
  if (!quickFacts(bytes, 0, stop, bytes[stop - 1] ?? 0, quick)) return false
  return slowFacts(bytes.toString("utf8"), slow) !== undefined || !sameFacts(quick, slow)
}
