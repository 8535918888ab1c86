// Finds the lines of many files that may contain a text, on all cores: the files are cut into pieces, and this thread
// and its helpers each take the next one.
import { statSync } from "node:fs"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { attemptRead, orNothing } from "../disk/problems.ts"
import { grepLines } from "../folder/grep-lines.ts"
import type { GrepHelpers } from "./grep-helpers.ts"
import { type GrepJob, grepPiece, type LinePlace, type Piece, placesOf, take } from "./piece.ts"

/** Large enough that overlaps do not matter; small enough that all threads end at about the same time. */
const PIECE = 4 * 1024 * 1024
/**
 * Reads between two ticks: about a megabyte, which takes half a millisecond. A tick takes a tenth as long as a read.
 */
const TOLD_AT_ONCE = 8

export interface GrepFile {
  file: string
  /** One of our own logs. */
  isOurs: boolean
  /** Loads the bytes to search in place of the file's. */
  load?: (() => Buffer) | undefined
}

export interface GrepRequest {
  files: readonly GrepFile[]
  /** From `bytePattern`. */
  pattern: RegExp
  helpers: GrepHelpers
  /** Called with the bytes searched so far; it may take its time. */
  tick: (bytes: number) => Promise<void>
}

export interface Grepping {
  /**
   * The lines of the file with this number, in order; none unless it is a regular file. Throws a RetconError. Call it
   * in the order of the files.
   */
  linesOf(number: number): Promise<LinePlace[]>
}

export function grepFiles({ files, pattern, helpers, tick }: GrepRequest): Grepping {
  const pieces: Piece[] = []
  const ofFiles = files.map((file) => {
    const first = pieces.length
    for (const piece of piecesOf(file)) pieces.push({ number: pieces.length, ...piece })
    return pieces.slice(first)
  })
  const found = new Map<number, LinePlace[] | RetconError>()
  const job: GrepJob = { pieces, pattern, next: new Int32Array(new SharedArrayBuffer(4)) }
  let bytes = 0
  helpers.run(job, ({ piece, lines }) => {
    found.set(piece, lines)
    bytes += lengthOf(pieces[piece])
  })

  async function lookThrough(hits: Iterable<LinePlace[]>): Promise<LinePlace[]> {
    const lines: LinePlace[] = []
    let untold = 0
    for (const here of hits) {
      for (const line of here) lines.push(line)
      if (++untold % TOLD_AT_ONCE === 0) await tick(bytes)
    }
    return lines
  }

  async function lookHere(piece: Piece): Promise<void> {
    found.set(piece.number, await lookThrough(grepPiece(piece, pattern)).catch(ifFailure))
    bytes += lengthOf(piece)
  }

  return {
    async linesOf(number) {
      const load = files[number]?.load
      if (load !== undefined) return lookThrough(linesIn(load(), pattern))
      const lines: LinePlace[] = []
      for (const piece of ofFiles[number] ?? []) {
        while (!found.has(piece.number)) {
          const next = take(job)
          if (next !== undefined) await lookHere(next)
          else if (!(await helpers.news())) await lookHere(piece)
        }
        const here = found.get(piece.number) ?? []
        found.delete(piece.number)
        if (here instanceof RetconError) throw here
        for (const line of here) lines.push(line)
      }
      return lines
    },
  }
}

function ifFailure(error: unknown): RetconError {
  if (error instanceof RetconError) return error
  throw error
}

function* linesIn(bytes: Buffer, pattern: RegExp): Generator<LinePlace[]> {
  const read = (into: Buffer, at: number, length: number, offset: number) =>
    bytes.copy(into, at, offset, offset + length)
  for (const hit of grepLines(read, bytes.length, pattern)) yield placesOf(hit)
}

function lengthOf(piece: Piece | undefined): number {
  return piece === undefined ? 0 : piece.to - piece.from
}

function piecesOf({ file, isOurs, load }: GrepFile): Omit<Piece, "number">[] {
  const stat = isOurs ? attemptRead(file, () => statSync(file)) : orNothing(() => statSync(file))
  if (load !== undefined || stat?.isFile() !== true) return []
  const { size } = stat
  return Array.from({ length: Math.ceil(size / PIECE) }, (_, n) => {
    return { file, size, isOurs, from: n * PIECE, to: Math.min((n + 1) * PIECE, size) }
  })
}
