// One piece of a file for one thread: the lines that begin in it.
import { closeSync, constants, openSync, readSync } from "node:fs"
import { attemptRead, orNothing } from "../disk/problems.ts"
import { type GrepHit, grepLines, NAMES_A_BLOB, type ReadInto } from "../folder/grep-lines.ts"

export interface Piece {
  /** Its position among all pieces. */
  number: number
  file: string
  /** The size of the whole file when the search began. */
  size: number
  from: number
  to: number
  /** One of our own logs: large parts of a record are not in its line. */
  isOurs: boolean
}

/** Where a line is, without its newline. */
export interface LinePlace {
  from: number
  to: number
}

/** What a helper gets. */
export interface GrepJob {
  pieces: readonly Piece[]
  pattern: RegExp
  /** The number of the next piece to take. */
  next: Int32Array
}

/** What a helper returns for each piece it has searched. */
export interface PieceFound {
  piece: number
  lines: LinePlace[]
}

/** A file that may not be read has no lines; one of our own logs that cannot be read is a failure. */
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

/** A piece for the caller alone; undefined if all are taken. */
export function take({ next, pieces }: GrepJob): Piece | undefined {
  return pieces[Atomics.add(next, 0, 1)]
}
