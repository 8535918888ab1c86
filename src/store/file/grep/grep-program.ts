// The program of a helper, built as a file of its own. It looks through pieces until none is left, then ends.
import { parentPort } from "node:worker_threads"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { type GrepJob, grepPiece, type Piece, type PieceFound, take } from "./piece.ts"

parentPort?.once("message", (job: GrepJob) => {
  for (let piece = take(job); piece !== undefined; piece = take(job)) lookThrough(piece, job.pattern)
})

/** What cannot be read is not answered: the main thread tries itself, and says why. */
function lookThrough(piece: Piece, pattern: RegExp): void {
  try {
    const found: PieceFound = { piece: piece.number, lines: [...grepPiece(piece, pattern)].flat() }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort?.postMessage(found)
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
  }
}
