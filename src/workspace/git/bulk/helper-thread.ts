// One helper thread per open workspace. It shares the work on a list of paths with the main thread, so that a slow or
// missing helper only means less help. Every job has a channel of its own: what comes late, or from a job that failed,
// has no way to another one.
import { MessageChannel, Worker } from "node:worker_threads"
import { endChunks, type HelperMessage, type HelperWork, type PathList, type ReadChunk } from "./helper-job.ts"

export type HelperThread = {
  /** Starts it if needed. True if it is running. */
  isReady(): boolean
  start(list: PathList, work: HelperWork): HelperJob
  close(): Promise<void>
}

export type HelperJob = AsyncDisposable & {
  /** What has come since the last call. Whoever takes it stores it, so that a failure to do so is theirs. */
  arrived(): ReadChunk[]
  /** Resolves when the helper finds nothing left to take, or dies. */
  ended: Promise<void>
}

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../../dist/helper-program.mjs" : "./helper-program.mjs",
  import.meta.url,
)

export function openHelperThread(program: URL = PROGRAM): HelperThread {
  let worker: Worker | undefined
  let ready = false
  const forget = (which: Worker) => {
    if (worker !== which) return
    worker = undefined
    ready = false
  }
  const startThread = () => {
    const started = new Worker(program, { env: {}, execArgv: [], stdin: false })
    // The process may exit while the helper idles; while it works, the job's channel keeps the process.
    started.unref()
    started.on("online", () => {
      ready = worker === started
    })
    started.on("error", () => forget(started))
    started.on("exit", () => forget(started))
    return started
  }
  return {
    isReady() {
      worker ??= startThread()
      return ready
    },
    start: (list, work) => startJob(worker, list, work),
    async close() {
      const closing = worker
      if (closing !== undefined) forget(closing)
      await closing?.terminate()
    },
  }
}

/** Leaving the block of the job ends it, whatever happened: the helper stops after the chunk it is at. */
function startJob(worker: Worker | undefined, list: PathList, work: HelperWork): HelperJob {
  const { port1: own, port2: answers } = new MessageChannel()
  let chunks: ReadChunk[] = []
  own.on("message", (chunk: ReadChunk) => chunks.push(chunk))
  // A thread that dies, or dies before it has seen the message, closes its end too.
  const ended = new Promise<void>((resolve) => own.once("close", () => resolve()))
  if (worker === undefined) answers.close()
  else worker.postMessage({ ...list, work, answers } satisfies HelperMessage, [answers])
  return {
    ended,
    arrived() {
      const taken = chunks
      chunks = []
      return taken
    },
    async [Symbol.asyncDispose]() {
      endChunks(list)
      await ended
    },
  }
}
