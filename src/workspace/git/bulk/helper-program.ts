// The program of the helper thread, built as a separate file. It takes chunks of a job's list until none is left.
import fs from "node:fs"
import { type MessagePort, parentPort } from "node:worker_threads"
import { oidOf } from "../objects/object.ts"
import { packEntry } from "../objects/pack-entry.ts"
import { chunks, type HelperMessage, type ReadChunk, type ReadFile } from "./helper-job.ts"
import { statInto, statOf } from "./stat-rows.ts"

/** Larger files are left to the main thread, so that messages stay small. */
const buffer = Buffer.allocUnsafe(1 << 20)
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

parentPort?.on("message", ({ work, answers, ...list }: HelperMessage) => {
  const paths = list.list.split("\0").map((path) => list.prefix + path)
  for (const { start, end } of chunks(list)) {
    if (work.kind === "read") answer(answers, readChunk(paths.slice(start, end), start, work.limit))
    else for (let i = start; i < end; i++) statInto(work.rows, i, paths[i] as string)
  }
  answers.close()
})

function answer(answers: MessagePort, chunk: ReadChunk): void {
  answers.postMessage(chunk, [chunk.raw.buffer as ArrayBuffer])
}

function readChunk(paths: readonly string[], start: number, limit: number): ReadChunk {
  const parts: Buffer[] = []
  const files = paths.map((path): ReadFile | undefined => {
    const read = readOne(path, limit)
    if (read === undefined) return undefined
    const entry = packEntry({ type: "blob", data: read.data })
    parts.push(...entry)
    return { stat: read.stat, oid: oidOf("blob", read.data), length: entry[0].length + entry[1].length }
  })
  return { start, files, raw: new Uint8Array(Buffer.concat(parts)) }
}

/** The bytes are valid until the next call; undefined leaves the file to the main thread. */
function readOne(path: string, limit: number) {
  let file: number | undefined
  try {
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = fs.fstatSync(file)
    if (!stat.isFile() || stat.size >= buffer.length || stat.size > limit) return undefined
    if (fs.readSync(file, buffer, 0, buffer.length, null) !== stat.size) return undefined
    return { stat: statOf(stat), data: buffer.subarray(0, stat.size) }
  } catch {
    return undefined
  } finally {
    if (file !== undefined) fs.closeSync(file)
  }
}
