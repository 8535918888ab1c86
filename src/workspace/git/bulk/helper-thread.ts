// One helper thread per open workspace. It takes chunks of a list of paths from a counter that it shares with the main
// thread, so that a slow or missing helper only means less help.

import { Worker } from "node:worker_threads"
import type { HelperJob, ReadChunk } from "./helper-job.ts"

export type HelperThread = {
  /** Starts it if needed. True if it is running. */
  isReady(): boolean
  /** Contract: resolves when the helper finds nothing left to take, or dies. */
  run(job: HelperJob, onChunk?: (chunk: ReadChunk) => void): Promise<void>
  close(): Promise<void>
}

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/helper-program.mjs" : "./helper-program.mjs",
  import.meta.url,
)

export function openHelperThread(program: URL = PROGRAM): HelperThread {
  let worker: Worker | undefined
  let ready = false
  let finished: (() => void) | undefined
  let take: ((chunk: ReadChunk) => void) | undefined
  /** The process may exit while the helper idles, but not while someone waits for it. */
  const finish = () => {
    worker?.unref()
    finished?.()
    finished = undefined
  }
  const start = () => {
    const started = new Worker(program, { env: {}, execArgv: [], stdin: false })
    started.unref()
    started.on("online", () => {
      ready = true
    })
    started.on("message", (message: ReadChunk | "done") => (message === "done" ? finish() : take?.(message)))
    const end = () => {
      if (worker !== started) return
      worker = undefined
      ready = false
      finish()
    }
    started.on("error", end)
    started.on("exit", end)
    return started
  }
  return {
    isReady() {
      worker ??= start()
      return ready
    },
    run(job, onChunk) {
      take = onChunk
      return new Promise((resolve) => {
        finished = resolve
        if (worker === undefined) {
          finish()
          return
        }
        worker.ref()
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
        worker.postMessage(job)
      })
    },
    async close() {
      const closing = worker
      worker = undefined
      ready = false
      await closing?.terminate()
      finish()
    },
  }
}
