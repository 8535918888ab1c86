// Large parts are stored once, by content hash, beside the log. The record names them.
import { createHash } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"
import { dirname, join } from "node:path"
import type { BlobRef, LogRecord, Part, WritableRecord } from "../../../model/record/record.ts"
import { unreachable } from "../../../model/unreachable.ts"
import { attempt, ensureFolder, errno, syncFolder } from "../disk/problems.ts"

/** In UTF-16 units: longer texts go to a blob. */
export const LARGE = 32 * 1024

const HASH = /^sha256-[0-9a-f]{64}$/

/** The record as it is written: large parts replaced by references to blobs, which are durable when this returns. */
export function spill(record: WritableRecord, folder: string): WritableRecord {
  if (record.type !== "message" || !record.content.some(isLarge)) return record
  return { ...record, content: record.content.map((part) => spillPart(part, folder)) }
}

function isLarge(part: Part): boolean {
  if (part.type === "tool-result" && part.media?.some(isLarge)) return true
  const field = largeField(part)
  return field !== undefined && isLargeText(textOf(part, field))
}

/**
 * Half a surrogate pair cannot be written as UTF-8 and read back: such a text stays in the record, where it is escaped.
 */
function isLargeText(text: string): boolean {
  return text.length > LARGE && !/\p{Surrogate}/u.test(text)
}

function largeField(part: Part): BlobRef["field"] | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return "text"
    case "image":
    case "file":
      return "data"
    case "tool-result":
      return "output"
    case "tool-call":
    case "unknown":
      return undefined
    default:
      return unreachable(part)
  }
}

function textOf(part: Part, field: BlobRef["field"]): string {
  const value = (part as unknown as { [field: string]: unknown })[field]
  return typeof value === "string" ? value : ""
}

function spillPart(part: Part, folder: string): Part {
  if (!isLarge(part)) return part
  const inner: Part =
    part.type === "tool-result" && part.media !== undefined
      ? { ...part, media: part.media.map((media) => spillPart(media, folder)) }
      : part
  const field = largeField(inner)
  if (field === undefined || !isLargeText(textOf(inner, field))) return inner
  const bytes = Buffer.from(textOf(inner, field))
  const blob: BlobRef = { hash: writeBlob(folder, bytes), bytes: bytes.length, field }
  const { [field]: _moved, ...rest } = inner as unknown as { [field: string]: unknown }
  return { ...rest, blob } as unknown as Part
}

/** Contract: content and name are durable. If an existing blob does not match its name, it is written again. */
function writeBlob(folder: string, bytes: Buffer): string {
  const hash = hashOf(bytes)
  const file = blobFile(folder, hash)
  attempt(file, () => {
    if (readBytes(file)?.equals(bytes) !== true) {
      ensureFolder(dirname(file))
      const temporary = `${file}.${process.pid}.tmp`
      try {
        writeWhole(temporary, bytes)
        renameSync(temporary, file)
      } finally {
        rmSync(temporary, { force: true })
      }
    }
    syncFolder(dirname(file))
  })
  return hash
}

function hashOf(bytes: Uint8Array): string {
  return `sha256-${createHash("sha256").update(bytes).digest("hex")}`
}

/** Undefined if it does not exist. Never blocks, whatever is in its place. */
function readBytes(file: string): Buffer | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return undefined
    throw error
  }
}

function writeWhole(file: string, bytes: Buffer): void {
  const fd = openSync(file, "w", 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

export function blobFile(folder: string, hash: string): string {
  return join(folder, hash.slice(7, 9), hash)
}

/** The record with its large parts read back. A text stands in for a missing blob. */
export function fill(record: LogRecord, folder: string): LogRecord {
  if (record.type !== "message" || !record.content.some(isMoved)) return record
  return { ...record, content: record.content.map((part) => fillPart(part, folder)) }
}

function isMoved(part: Part): boolean {
  if (part.type === "unknown") return false
  return part.blob !== undefined || (part.type === "tool-result" && part.media?.some(isMoved) === true)
}

function fillPart(part: Part, folder: string): Part {
  if (!isMoved(part) || part.type === "unknown") return part
  const { blob, ...rest } = part
  const inner = rest as unknown as { [field: string]: unknown; media?: Part[] }
  if (inner.media !== undefined) inner.media = inner.media.map((media) => fillPart(media, folder))
  if (blob === undefined || blob.field !== largeField(part)) return inner as unknown as Part
  return { ...inner, [blob.field]: readBlob(folder, blob) } as unknown as Part
}

function readBlob(folder: string, { hash }: BlobRef): string {
  if (!HASH.test(hash)) return "[content not found: its name is not a hash]"
  try {
    const bytes = readBytes(blobFile(folder, hash))
    if (bytes === undefined) return `[content not found: ${hash}]`
    return hashOf(bytes) === hash ? bytes.toString("utf8") : `[content damaged: ${hash}]`
  } catch (error) {
    if (errno(error) === undefined) throw error
    return `[content could not be read (${errno(error)}): ${hash}]`
  }
}

/** The hashes of the blobs that a record names. */
export function blobsOf(record: LogRecord): string[] {
  if (record.type !== "message") return []
  const hashes: string[] = []
  const visit = (part: Part) => {
    if (part.type === "unknown") return
    if (part.blob !== undefined) hashes.push(part.blob.hash)
    if (part.type === "tool-result") part.media?.forEach(visit)
  }
  record.content.forEach(visit)
  return hashes
}

/** What is wrong with the first blob of a record that cannot be read; undefined if all are there. What is no name of one is data. */
export function lostContent(record: LogRecord, folder: string): string | undefined {
  for (const hash of blobsOf(record)) {
    if (!HASH.test(hash)) continue
    try {
      const problem = blobProblem(folder, hash)
      if (problem !== undefined) return `its content ${hash} is ${problem === "missing" ? "missing" : "damaged"}`
    } catch (error) {
      if (errno(error) === undefined) throw error
      return `its content ${hash} could not be read (${errno(error)})`
    }
  }
  return undefined
}

/** What is wrong with a blob that a record names; undefined if its content matches its name. */
export function blobProblem(folder: string, hash: string): "missing" | "changed" | undefined {
  const bytes = HASH.test(hash) ? readBytes(blobFile(folder, hash)) : undefined
  if (bytes === undefined) return "missing"
  return hashOf(bytes) === hash ? undefined : "changed"
}
