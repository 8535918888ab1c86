// One helper thread per open workspace. It takes chunks of a list of paths from a counter that it shares with the main
// thread, so that a slow or missing helper only means less help.

import { Worker } from "node:worker_threads"
import { STORED_UP_TO } from "../objects/loose.ts"

export const CHUNK = 64
export const FIELDS = 5
/** The helper leaves larger files to the main thread, so that its messages stay small. */
export const HELPER_READS = 1 << 20

/** A chunk of files that the helper read: per file its oid ("" when it was not read) and its bytes as a pack holds them. */
export type ReadChunk = { start: number; oids: string[]; lengths: number[]; raw: Uint8Array }

// The helper's whole program. Text, so that it needs no file of its own however this package is bundled.
const PROGRAM = `
const fs = require("node:fs")
const zlib = require("node:zlib")
const crypto = require("node:crypto")
const { parentPort } = require("node:worker_threads")
const buffer = Buffer.allocUnsafe(${HELPER_READS})
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
let paths = []

function fill(rows, i, stat) {
  rows[i * ${FIELDS}] = stat.mode
  rows[i * ${FIELDS} + 1] = stat.size
  rows[i * ${FIELDS} + 2] = stat.mtimeMs
  rows[i * ${FIELDS} + 3] = stat.ctimeMs
  rows[i * ${FIELDS} + 4] = stat.ino
}

function statOne(job, i) {
  try {
    const stat = fs.lstatSync(job.prefix + paths[i], { throwIfNoEntry: false })
    if (stat === undefined) job.rows[i * ${FIELDS}] = 0
    else fill(job.rows, i, stat)
  } catch {
    job.rows[i * ${FIELDS}] = -1
  }
}

// As in loose.ts.
function stored(data) {
  const stream = Buffer.allocUnsafe(data.length + 11)
  stream.writeUInt16BE(0x7801, 0)
  stream[2] = 1
  stream.writeUInt16LE(data.length, 3)
  stream.writeUInt16LE(~data.length & 0xffff, 5)
  data.copy(stream, 7)
  let a = 1
  let b = 0
  for (let i = 0; i < data.length; i++) {
    a += data[i]
    b += a
  }
  stream.writeUInt32BE((((b % 65521) << 16) | (a % 65521)) >>> 0, data.length + 7)
  return stream
}

function readOne(job, i, parts) {
  let file
  try {
    file = fs.openSync(job.prefix + paths[i], O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch {
    return { oid: "", length: 0 }
  }
  try {
    const stat = fs.fstatSync(file)
    if (!stat.isFile() || stat.size >= buffer.length || stat.size > job.limit) return { oid: "", length: 0 }
    const size = fs.readSync(file, buffer, 0, buffer.length, null)
    if (size !== stat.size) return { oid: "", length: 0 }
    fill(job.rows, i, stat)
    const data = buffer.subarray(0, size)
    const oid = crypto.createHash("sha1").update("blob " + size + "\\0").update(data).digest("hex")
    const head = [48 | (size & 15)]
    for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
      head[head.length - 1] |= 128
      head.push(rest & 127)
    }
    const body =
      size <= ${STORED_UP_TO} ? stored(data) : zlib.deflateSync(data, { level: 1, chunkSize: Math.min(16384, (size >> 1) + 64) })
    parts.push(Buffer.from(head), body)
    return { oid, length: head.length + body.length }
  } catch {
    return { oid: "", length: 0 }
  } finally {
    fs.closeSync(file)
  }
}

parentPort.on("message", (job) => {
  if (job.list !== undefined) paths = job.list.split("\\0")
  for (;;) {
    const start = Atomics.add(job.next, 0, 1) * ${CHUNK}
    if (start >= job.count) break
    const end = Math.min(start + ${CHUNK}, job.count)
    if (job.kind === "stat") for (let i = start; i < end; i++) statOne(job, i)
    else {
      const parts = []
      const done = []
      for (let i = start; i < end; i++) done.push(readOne(job, i, parts))
      const raw = new Uint8Array(Buffer.concat(parts))
      parentPort.postMessage({ start, oids: done.map((d) => d.oid), lengths: done.map((d) => d.length), raw }, [raw.buffer])
    }
  }
  parentPort.postMessage("done")
})
`

export type HelperJob =
  | { kind: "stat"; list: string | undefined; count: number; prefix: string; next: Int32Array; rows: Float64Array }
  | {
      kind: "read"
      list: string | undefined
      count: number
      prefix: string
      next: Int32Array
      rows: Float64Array
      limit: number
    }

export type HelperThread = {
  /** Starts it if need be. True when it is up. */
  isReady(): boolean
  /** Contract: resolves when the helper finds nothing left to take, also when it dies. */
  run(job: HelperJob, onChunk?: (chunk: ReadChunk) => void): Promise<void>
  close(): Promise<void>
}

export function openHelperThread(): HelperThread {
  let worker: Worker | undefined
  let ready = false
  let finished: (() => void) | undefined
  let take: ((chunk: ReadChunk) => void) | undefined
  /** A process may end while the helper idles, not while somebody waits for it. */
  const finish = () => {
    worker?.unref()
    finished?.()
    finished = undefined
  }
  const start = () => {
    const started = new Worker(PROGRAM, { eval: true, env: {}, execArgv: [], stdin: false })
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
