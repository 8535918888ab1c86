// What `replay` needs to rebuild rows elsewhere, as bytes: about 16 per row, most of them the id.
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { COLUMN, FLAG } from "../rows/columns.ts"
import { type Rows, startOf } from "../rows/rows.ts"
import { takenFrom } from "../rows/taken.ts"
import { NONE, type Row } from "../tree/tree.ts"
import { ENTRY, FROM, hasId, hasSpeaker, headBefore, OPERATION, OTHER, PARENT } from "./bits.ts"

/** More than any row takes: 6 numbers of 7 bytes, 10 bytes of the id, 2 others. */
const MOST_BYTES = 64

/**
 * The rows from `from` up to but not including `to`. Contract: `readFacts` on rows that end at `from` rebuilds them.
 */
export function writeFacts(rows: Rows, from: Row, to: Row): Uint8Array {
  const writer = new Writer()
  for (let row = from; row < to; row++) writeRow(rows, row, writer)
  return writer.written()
}

function writeRow(rows: Rows, row: Row, out: Writer): void {
  out.reserve()
  const kind = rows.kind(row)
  const duplicate = rows.flag(row, FLAG.duplicate)
  if (isEntryKind(kind)) writeEntry(rows, row, out)
  else if (kind === KIND.operation) writeOperation(rows, row, out)
  else {
    const unit = rows.unit(row)
    out.byte(kind | (duplicate ? OTHER.duplicate : 0) | (unit === NONE ? 0 : OTHER.about))
    if (duplicate) out.byte(speaker(rows, row))
    if (unit !== NONE) out.number(row - unit)
  }
  if (hasId(kind, duplicate)) out.id(rows.pageOf(row), startOf(row))
}

function writeEntry(rows: Rows, row: Row, out: Writer): void {
  const kind = rows.kind(row)
  const parent = rows.parent(row)
  const lost = rows.flag(row, FLAG.lost)
  const elsewhere = lost || parent !== headBefore(rows, row)
  out.byte(
    kind |
      (rows.prompt(row) === row ? ENTRY.prompt : 0) |
      (rows.headAfter(row) === row ? 0 : ENTRY.aside) |
      (elsewhere ? ENTRY.elsewhere : 0),
  )
  if (elsewhere) out.number(lost ? PARENT.lost : parent === NONE ? PARENT.none : row - parent + 1)
  if (hasSpeaker(kind, false)) out.byte(speaker(rows, row))
}

function writeOperation(rows: Rows, row: Row, out: Writer): void {
  const lost = rows.flag(row, FLAG.lost)
  const files = rows.movesFiles(row) ? OPERATION.files : 0
  const first = takenFrom(rows, row)
  if (first !== NONE) {
    out.byte(KIND.operation | OPERATION.lost | OPERATION.open | files)
    return out.number(row - first)
  }
  const open = !lost && rows.flag(row, FLAG.open) ? OPERATION.open : 0
  out.byte(KIND.operation | (lost ? OPERATION.lost : whichOperation(rows, row)) | files | open)
  if (lost) return
  const [from, to] = [rows.parent(row), rows.headAfter(row)]
  out.number(to === NONE ? 0 : row - to)
  out.number(from === headBefore(rows, row) ? FROM.head : from === NONE ? FROM.none : row - from + 1)
}

/** Judged by its effect on the stacks: an undo that came too late is a move like any other. */
function whichOperation(rows: Rows, row: Row): number {
  if (rows.undo(row) === row) return 0
  return rows.unit(row) === NONE ? OPERATION.redo : OPERATION.undo
}

function speaker(rows: Rows, row: Row): number {
  return (rows.role(row) << 5) | rows.origin(row)
}

class Writer {
  #bytes = new Uint8Array(1024)
  #at = 0
  #ms = 0

  written(): Uint8Array {
    return this.#bytes.slice(0, this.#at)
  }

  /** Makes room for one row. */
  reserve(): void {
    if (this.#at + MOST_BYTES <= this.#bytes.length) return
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value
  }

  /** Seven bits per byte, low bits first. */
  number(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.byte((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  id(page: Uint32Array, at: number): void {
    const [first, second] = [page[at + COLUMN.id] as number, page[at + 1] as number]
    const ms = first * 0x1_0000 + (second >>> 16)
    const difference = ms - this.#ms
    this.#ms = ms
    this.number(difference < 0 ? -2 * difference - 1 : 2 * difference)
    this.byte((second >>> 8) & 255)
    this.byte(second & 255)
    for (const word of [page[at + 2] as number, page[at + 3] as number]) {
      for (let shift = 24; shift >= 0; shift -= 8) this.byte((word >>> shift) & 255)
    }
  }
}
