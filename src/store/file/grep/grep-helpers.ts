// Threads that search files alongside the main one. They are optional: the main thread does whatever they leave undone.
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { GrepJob, PieceFound } from "./piece.ts"

/** In the time that a thread takes to start, the main one searches about this much. */
const WORTH_A_THREAD = 64 * 1024 * 1024
const MOST = 7

export interface GrepHelpers {
  /** Contract: called once. */
  run(job: GrepJob, found: (found: PieceFound) => void): void
  /** Resolves after the next result, or when a helper ends. False: all have ended. */
  news(): Promise<boolean>
  close(): void
}

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/grep-program.mjs" : "./grep-program.mjs",
  import.meta.url,
)

/** As many as are worth starting for so many bytes; for few, none. They start while the caller continues. */
export function startGrepHelpers(bytes: number, program: URL = PROGRAM): GrepHelpers {
  const count = Math.min(Math.floor(bytes / WORTH_A_THREAD), availableParallelism() - 1, MOST)
  const running = new Set<Worker>()
  let answered: ((piece: PieceFound) => void) | undefined
  let tell: (() => void) | undefined
  for (let i = 0; i < count; i++) {
    const worker = new Worker(program, { env: {}, execArgv: [], stdin: false })
    running.add(worker)
    const end = () => {
      running.delete(worker)
      tell?.()
    }
    worker.on("message", (found: PieceFound) => {
      answered?.(found)
      tell?.()
    })
    worker.on("error", end)
    worker.on("exit", end)
  }
  return {
    run(job, found) {
      answered = found
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      for (const worker of running) worker.postMessage(job)
    },
    async news() {
      if (running.size === 0) return false
      await new Promise<void>((settle) => {
        tell = settle
      })
      return true
    },
    close() {
      for (const worker of running) void worker.terminate()
    },
  }
}
