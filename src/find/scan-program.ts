// The program of a thread, built as a separate file. It takes pieces of a job until none is left, then waits for another job.
import { parentPort } from "node:worker_threads"
import { RetconError } from "../model/failure/retcon-error.ts"
import { type CompiledTerms, compileTerms, type Piece, scanPiece } from "./scan.ts"
import type { ScanJob, ScannedPiece } from "./threads.ts"

parentPort?.on("message", ({ number, pieces, terms, most, next }: ScanJob) => {
  const compiled = compileTerms(terms, most)
  for (let at = Atomics.add(next, 0, 1); at < pieces.length; at = Atomics.add(next, 0, 1)) {
    const piece = pieces[at]
    if (piece === undefined) return
    const answer: ScannedPiece = { job: number, piece: at, result: scanned(piece, compiled) }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    parentPort?.postMessage(answer)
  }
})

function scanned(piece: Piece, compiled: CompiledTerms): ScannedPiece["result"] {
  try {
    return scanPiece(piece, compiled) ?? null
  } catch (error) {
    if (error instanceof RetconError) return "unread"
    throw error
  }
}
