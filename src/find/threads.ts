// Threads that search files alongside the main one. They are optional: the main thread does whatever they leave undone.
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Term } from "./query.ts"
import type { Piece, ScanResult } from "./scan.ts"

/** What a thread gets. */
export interface ScanJob {
  number: number
  pieces: readonly Piece[]
  terms: readonly Term[]
  /** How many lines of a session to keep. */
  most: number
  /** The number of the next piece to take. */
  next: Int32Array
}

/** What it returns for each piece. `unread`: the main thread tries it once more, and says why. */
export interface ScannedPiece {
  job: number
  piece: number
  result: ScanResult | null | "unread"
}

/** In the time that a thread takes to start, the main one searches about this much. */
const WORTH_A_THREAD = 64 * 1024 * 1024
const MOST = 7

export interface ScanThreads {
  /** Starts as many as are worth starting for so many bytes more; for few, none. */
  start(bytes: number): void
  run(job: ScanJob, scanned: (piece: ScannedPiece) => void): void
  /** Resolves after the next result, or when a thread ends. False: all have ended. */
  news(): Promise<boolean>
  close(): void
}

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/scan-program.mjs" : "./scan-program.mjs",
  import.meta.url,
)

export function scanThreads(program: URL = PROGRAM): ScanThreads {
  const running = new Set<Worker>()
  let answered: ((piece: ScannedPiece) => void) | undefined
  let tell: (() => void) | undefined
  let told = false
  function news(): void {
    told = true
    tell?.()
  }
  function start(): void {
    const worker = new Worker(program, { env: {}, execArgv: [], stdin: false })
    running.add(worker)
    const end = () => {
      running.delete(worker)
      news()
    }
    worker.on("message", (scanned: ScannedPiece) => {
      answered?.(scanned)
      news()
    })
    worker.on("error", end)
    worker.on("exit", end)
  }
  return {
    start(bytes) {
      const count = Math.min(Math.floor(bytes / WORTH_A_THREAD), availableParallelism() - 1, MOST)
      while (running.size < count) start()
    },
    run(job, scanned) {
      answered = (piece) => {
        if (piece.job === job.number) scanned(piece)
      }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      for (const worker of running) worker.postMessage(job)
    },
    async news() {
      if (!told && running.size === 0) return false
      if (!told)
        await new Promise<void>((settle) => {
          tell = settle
        })
      tell = undefined
      told = false
      return true
    },
    close() {
      for (const worker of running) void worker.terminate()
      running.clear()
    },
  }
}
