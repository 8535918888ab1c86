// The program of a helper, built as a separate file. It searches pieces until none is left, then ends.
import { parentPort } from "node:worker_threads"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { type GrepJob, grepPiece, type Piece, type PieceFound, take } from "./piece.ts"

parentPort?.once("message", (job: GrepJob) => {
  for (let piece = take(job); piece !== undefined; piece = take(job)) lookThrough(piece, job.pattern)
})

/** Sends nothing for a piece that cannot be read: the main thread then tries it, and reports why. */
function lookThrough(piece: Piece, pattern: RegExp): void {
  try {
    const found: PieceFound = { piece: piece.number, lines: [...grepPiece(piece, pattern)].flat() }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort?.postMessage(found)
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
  }
}
