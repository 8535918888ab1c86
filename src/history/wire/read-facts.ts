// Rebuilds rows from the bytes of `writeFacts`, with the same `replay` that built them first.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { idText } from "../../model/id-words.ts"
import { bareFacts, emptyFacts, type Facts, type MoveFacts } from "../../model/record/facts.ts"
import { isEntryKind, KIND, type Kind } from "../../model/record/record.ts"
import { COLUMN } from "../rows/columns.ts"
import { replay } from "../rows/replay.ts"
import { type Rows, startOf } from "../rows/rows.ts"
import { undoPoint } from "../rows/undo-point.ts"
import { entryId, NONE, type Row } from "../tree/tree.ts"
import { ENTRY, FROM, hasId, hasSpeaker, headBefore, OPERATION, OTHER, PARENT } from "./bits.ts"

/** Where to continue reading: the next byte, and the time of the last id. */
export interface FactsPlace {
  byte: number
  ms: number
}

/**
 * Adds at most `most` rows to `rows` at a time: 100,000 take long enough to notice. Returns where to continue.
 * Contract: the bytes are read from the beginning, onto rows that end where the writer's began. Throws `invalid` for
 * bytes that are not facts.
 */
export function readFacts(
  rows: Rows,
  bytes: Uint8Array,
  place: FactsPlace = { byte: 0, ms: 0 },
  most = Number.POSITIVE_INFINITY,
): FactsPlace {
  const reader = new Reader(bytes, place)
  for (let count = 0; count < most && reader.byte < bytes.length; count++) readRow(rows, reader)
  return { byte: reader.byte, ms: reader.ms }
}

const facts = emptyFacts()

function readRow(rows: Rows, from: Reader): void {
  const row = rows.size
  const first = from.next()
  const kind = (first & 15) as Kind
  const duplicate = !isEntryKind(kind) && kind !== KIND.operation && (first & OTHER.duplicate) !== 0
  bareFacts(facts, duplicate ? KIND.unknown : kind)
  facts.id.fill(0)
  let about: Row = NONE
  let parent: Row | undefined
  if (isEntryKind(kind)) parent = readEntry(rows, first, from, facts)
  else if (kind === KIND.operation) facts.move = readMove(rows, first, from)
  else {
    if (duplicate) setSpeaker(facts, from.next())
    if ((first & OTHER.about) !== 0) about = earlier(row, from.number())
  }
  if (hasId(kind, duplicate)) from.id(facts.id)
  // Whether an id is new was determined when the rows were first made.
  replay(rows, facts, { offset: 0, length: 0 }, !duplicate, parent)
  if (about !== NONE) rows.pageOf(row)[startOf(row) + COLUMN.unit] = about
}

/** Returns the row of its parent. */
function readEntry(rows: Rows, first: number, from: Reader, into: Facts): Row {
  const row = rows.size
  into.prompt = (first & ENTRY.prompt) !== 0
  into.movesHead = (first & ENTRY.aside) === 0
  const where = (first & ENTRY.elsewhere) === 0 ? undefined : from.number()
  const parent = where === undefined ? headBefore(rows, row) : where < 2 ? NONE : earlier(row, where - 1)
  into.hasParent = parent !== NONE || where === PARENT.lost
  if (hasSpeaker(into.kind, false)) setSpeaker(into, from.next())
  return parent
}

function readMove(rows: Rows, first: number, reader: Reader): MoveFacts {
  const row = rows.size
  const which = first & OPERATION.which
  const files = (first & OPERATION.files) !== 0
  const no = { undoes: undefined, files }
  if (which === OPERATION.lost && (first & OPERATION.open) !== 0) {
    const takes = rows.id(earlier(row, reader.number()))
    return { ...no, kind: "take", from: null, to: null, takes }
  }
  if (which === OPERATION.lost) return { ...no, kind: "goto", from: null, to: textOf(unusedId(rows)) }
  const to = reader.number()
  const where = reader.number()
  const before = headBefore(rows, row)
  const from = where === FROM.head ? before : where === FROM.none ? NONE : earlier(row, where - 1)
  const ends = { from: entryId(rows, from), to: entryId(rows, to === 0 ? NONE : earlier(row, to)) }
  if (which === 0) return { ...no, ...ends, kind: (first & OPERATION.open) === 0 ? "goto" : "backtrack" }
  const stacks = undoPoint(rows, from)
  const [kind, top] =
    which === OPERATION.undo ? (["undo", rows.undo(stacks)] as const) : (["redo", rows.redo(stacks)] as const)
  return { ...no, ...ends, kind, undoes: top === NONE ? undefined : rows.id(top) }
}

function earlier(row: Row, distance: number): Row {
  if (distance < 1 || distance > row) throw notFacts(`row ${row} names one that is not before it`)
  return row - distance
}

function setSpeaker(into: Facts, byte: number): void {
  into.role = byte >>> 5
  into.origin = byte & 31
}

/** An id that no row has, to stand for what is not in the log. */
function unusedId(rows: Rows): Uint32Array {
  const words = new Uint32Array(4).fill(NONE)
  while (rows.rowOfWords(words) !== NONE) words[3] = (words[3] as number) - 1
  return words
}

function textOf(words: Uint32Array): string {
  return idText(words[0] as number, words[1] as number, words[2] as number, words[3] as number)
}

function notFacts(problem: string): RetconError {
  return new RetconError({
    code: "invalid",
    problem: `These bytes are not rows: ${problem}.`,
    advice: "Fetch them again.",
  })
}

class Reader {
  readonly #bytes: Uint8Array
  byte: number
  ms: number

  constructor(bytes: Uint8Array, { byte, ms }: FactsPlace) {
    this.#bytes = bytes
    this.byte = byte
    this.ms = ms
  }

  next(): number {
    const byte = this.#bytes[this.byte++]
    if (byte === undefined) throw notFacts("they end in the middle of a row")
    return byte
  }

  number(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = this.next()
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }

  id(words: Uint32Array): void {
    const coded = this.number()
    this.ms += coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2
    words[0] = Math.floor(this.ms / 0x1_0000)
    words[1] = ((this.ms % 0x1_0000) * 0x1_0000 + this.next() * 256 + this.next()) >>> 0
    words[2] = this.#word()
    words[3] = this.#word()
  }

  #word(): number {
    return ((this.next() << 24) | (this.next() << 16) | (this.next() << 8) | this.next()) >>> 0
  }
}
