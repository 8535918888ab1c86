// The program of the helper thread, built as a separate file. It takes chunks of the list until none is left.

import fs from "node:fs"
import { parentPort } from "node:worker_threads"
import { oidOf } from "../objects/object.ts"
import { packEntry } from "../objects/pack-entry.ts"
import { chunks } from "./chunks.ts"
import type { HelperJob, ReadChunk } from "./helper-job.ts"
import { fillRow, statInto } from "./stat-rows.ts"

/** Larger files are left to the main thread, so that messages stay small. */
const buffer = Buffer.allocUnsafe(1 << 20)
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

parentPort?.on("message", (job: HelperJob) => {
  const paths = job.list.split("\0")
  for (const { start, end } of chunks(job.next, job.count)) {
    if (job.kind === "read") sendChunk(readChunk(job, paths, start, end))
    else for (let i = start; i < end; i++) statInto(job.rows, i, job.prefix + paths[i])
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage("done")
})

function sendChunk(chunk: ReadChunk): void {
  parentPort?.postMessage(chunk, [chunk.raw.buffer as ArrayBuffer])
}

function readChunk(job: HelperJob & { kind: "read" }, paths: readonly string[], start: number, end: number): ReadChunk {
  const parts: Buffer[] = []
  const chunk = { start, oids: [] as string[], lengths: [] as number[] }
  for (let i = start; i < end; i++) {
    const data = readOne(job, paths[i] as string, i)
    const entry = data === undefined ? [] : packEntry({ type: "blob", data })
    parts.push(...entry)
    chunk.oids.push(data === undefined ? "" : oidOf("blob", data))
    chunk.lengths.push(entry.reduce((sum, part) => sum + part.length, 0))
  }
  return { ...chunk, raw: new Uint8Array(Buffer.concat(parts)) }
}

/** The bytes are valid until the next call; undefined leaves the file to the main thread. */
function readOne({ prefix, rows, limit }: HelperJob & { kind: "read" }, path: string, i: number): Buffer | undefined {
  let file: number | undefined
  try {
    file = fs.openSync(prefix + path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = fs.fstatSync(file)
    if (!stat.isFile() || stat.size >= buffer.length || stat.size > limit) return undefined
    if (fs.readSync(file, buffer, 0, buffer.length, null) !== stat.size) return undefined
    fillRow(rows, i, stat)
    return buffer.subarray(0, stat.size)
  } catch {
    return undefined
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}
