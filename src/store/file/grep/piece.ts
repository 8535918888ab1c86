// One piece of a file, as a thread takes it: the lines that begin in it.
import { closeSync, constants, openSync, readSync } from "node:fs"
import { attemptRead, orNothing } from "../disk/problems.ts"
import { type GrepHit, grepLines, NAMES_A_BLOB, type ReadInto } from "../folder/grep-lines.ts"

export interface Piece {
  /** Its place among all. */
  number: number
  file: string
  /** Of the whole file, when the search began. */
  size: number
  from: number
  to: number
  /** A log of ours: large parts of a record are not in its line. */
  isOurs: boolean
}

/** Where a line is, without its newline. */
export interface LinePlace {
  from: number
  to: number
}

/** What a helper is given. */
export interface GrepJob {
  pieces: readonly Piece[]
  pattern: RegExp
  /** The number of the next piece that nobody has taken. */
  next: Int32Array
}

/** What it answers for each piece that it has looked through. */
export interface PieceFound {
  /** Its number. */
  piece: number
  lines: LinePlace[]
}

/** What nobody may read holds nothing; a log of ours that cannot be read is a failure. */
export function* grepPiece({ file, size, from, to, isOurs }: Piece, pattern: RegExp): Generator<LinePlace[]> {
  const open = () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = isOurs ? attemptRead(file, open) : orNothing(open)
  if (fd === undefined) return
  const read: ReadInto = (bytes, at, length, offset) => attemptRead(file, () => readSync(fd, bytes, at, length, offset))
  try {
    const options = { from, to, also: isOurs ? NAMES_A_BLOB : undefined }
    for (const hit of grepLines(read, size, pattern, options)) yield placesOf(hit)
  } finally {
    closeSync(fd)
  }
}

export function placesOf({ lines }: GrepHit): LinePlace[] {
  return lines.map(({ offset, bytes }) => ({ from: offset, to: offset + bytes.length }))
}

/** A piece for the caller alone; undefined when all are taken. */
export function take({ next, pieces }: GrepJob): Piece | undefined {
  return pieces[Atomics.add(next, 0, 1)]
}
