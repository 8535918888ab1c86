// The sidecar index: the rows of a log as they are in memory, behind a header that says how much of the log they cover.
// Derived and deletable. Rows are a function of the log's bytes, so two processes that extend it write the same bytes.
import { closeSync, fstatSync, openSync, readSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { PAGE_ROWS, ROW_BYTES, WORDS } from "../../history/columns.ts"
import type { Known, Rows } from "../../history/rows.ts"
import { NONE } from "../../history/tree.ts"
import { isObject, parseJson } from "../../model/json.ts"
import type { LogSummary } from "../summary.ts"
import { errno } from "./problems.ts"
import { readAt } from "./read.ts"

/** Raise it with every change of the columns, of replay, or of this file. */
const VERSION = 1
const MAGIC = 0x72_74_63_78
/** The first half is what a list needs: words, then a JSON summary. The second half lists the tips. */
export const SUMMARY_BYTES = 4096
const HEADER_BYTES = 2 * SUMMARY_BYTES
const JSON_AT = 48
const MOST_TIPS = SUMMARY_BYTES / 4 - 1
/** How much of the log's end is compared. */
const TAIL_BYTES = 64

export interface IndexHeader {
  rows: number
  /** Bytes of the log that the rows stand for. */
  covered: number
  summary: LogSummary
}

interface OpenIndex extends IndexHeader {
  known: Known
}

/** Opens the index of a log if it fits. Anything wrong with it, and there is none: it is made anew. */
export function openIndex(file: string, logFd: number, logSize: number): (OpenIndex & { fd: number }) | undefined {
  let fd: number
  try {
    fd = openSync(file, "r")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
  const opened = readIndex(fd, logFd, logSize)
  if (opened === undefined) closeSync(fd)
  return opened === undefined ? undefined : { ...opened, fd }
}

function readIndex(fd: number, logFd: number, logSize: number): OpenIndex | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES)
  if (readSync(fd, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
  const header = parseHeader(bytes)
  if (header === undefined || header.covered > logSize) return undefined
  if (tailSum(logFd, header.covered) !== bytes.readUInt32LE(28)) return undefined
  if (fstatSync(fd).size < HEADER_BYTES + header.rows * ROW_BYTES) return undefined
  const page = (number: number) => readPage(fd, number, header.rows)
  if (header.rows > 0) {
    const last = page(Math.floor((header.rows - 1) / PAGE_ROWS))
    if (sum(last) !== bytes.readUInt32LE(32)) return undefined
  }
  const tips = readTips(bytes)
  const lasts = new Map<number, number>()
  const chains = bytes.readUInt32LE(44)
  for (let i = 0; i < chains; i++) {
    const at = SUMMARY_BYTES - 8 * (i + 1)
    lasts.set(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4))
  }
  const firstPrompt = bytes.readUInt32LE(40)
  return { ...header, known: { size: header.rows, last: lasts, tips, firstPrompt, page } }
}

/** The header of an index, from its first SUMMARY_BYTES. Whether it fits the log is for the caller to see. */
export function parseHeader(bytes: Buffer): IndexHeader | undefined {
  if (bytes.length < SUMMARY_BYTES || bytes.readUInt32LE(0) !== MAGIC || bytes.readUInt32LE(4) !== VERSION) {
    return undefined
  }
  if (crc32(bytes.subarray(12, SUMMARY_BYTES)) !== bytes.readUInt32LE(8)) return undefined
  const length = bytes.readUInt32LE(36)
  const json = parseJson(bytes.toString("utf8", JSON_AT, JSON_AT + length))
  if (!json.ok || !isObject(json.value)) return undefined
  const { title, prompts, branches, updated, archived } = json.value
  return {
    rows: bytes.readUInt32LE(24),
    covered: bytes.readDoubleLE(16),
    summary: {
      title: typeof title === "string" ? title : "",
      prompts: Number(prompts),
      branches: Number(branches),
      updated: typeof updated === "string" ? updated : "",
      archived: archived === true,
    },
  }
}

function printHeader(rows: Rows, size: number, covered: number, tail: number, page: number, summary: LogSummary) {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(VERSION, 4)
  bytes.writeDoubleLE(covered, 16)
  bytes.writeUInt32LE(size, 24)
  bytes.writeUInt32LE(tail, 28)
  bytes.writeUInt32LE(page, 32)
  const json = Buffer.from(JSON.stringify(summary))
  bytes.writeUInt32LE(json.length, 36)
  bytes.writeUInt32LE(rows.firstPrompt, 40)
  json.copy(bytes, JSON_AT)
  const lasts = [...rows.lastRows()]
  bytes.writeUInt32LE(lasts.length, 44)
  for (const [i, [kind, row]] of lasts.entries()) {
    bytes.writeUInt32LE(kind, SUMMARY_BYTES - 8 * (i + 1))
    bytes.writeUInt32LE(row, SUMMARY_BYTES - 8 * (i + 1) + 4)
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(12, SUMMARY_BYTES)), 8)
  const tips = rows.tips()
  bytes.writeUInt32LE(tips.length <= MOST_TIPS ? tips.length : NONE, SUMMARY_BYTES)
  for (const [i, tip] of tips.slice(0, MOST_TIPS).entries()) bytes.writeUInt32LE(tip, SUMMARY_BYTES + 4 * (i + 1))
  return bytes
}

function readTips(bytes: Buffer): number[] | undefined {
  const count = bytes.readUInt32LE(SUMMARY_BYTES)
  if (count > MOST_TIPS) return undefined
  return Array.from({ length: count }, (_, i) => bytes.readUInt32LE(SUMMARY_BYTES + 4 * (i + 1)))
}

function readPage(fd: number, number: number, rows: number): Uint32Array {
  const count = Math.min(PAGE_ROWS, rows - number * PAGE_ROWS)
  const bytes = readAt(fd, HEADER_BYTES + number * PAGE_ROWS * ROW_BYTES, count * ROW_BYTES)
  const words = new Uint32Array(count * WORDS)
  new Uint8Array(words.buffer).set(bytes)
  return words
}

function sum(words: Uint32Array): number {
  return crc32(new Uint8Array(words.buffer, words.byteOffset, words.byteLength))
}

function tailSum(logFd: number, covered: number): number {
  const length = Math.min(TAIL_BYTES, covered)
  return crc32(readAt(logFd, covered - length, length))
}

/**
 * Writes what the rows know up to `covered`, keeping the first `kept` rows that the file holds already (0: a new file,
 * by rename). Answers false when it cannot: an index is never needed.
 */
export function writeIndex(
  file: string,
  logFd: number,
  rows: Rows,
  { kept, size, covered, summary }: { kept: number; size: number; covered: number; summary: LogSummary },
): boolean {
  if (kept > 0 && !holds(file, kept)) return writeIndex(file, logFd, rows, { kept: 0, size, covered, summary })
  const target = kept > 0 ? file : `${file}.${process.pid}.tmp`
  try {
    const fd = openSync(target, kept > 0 ? "r+" : "w", 0o600)
    try {
      for (let page = Math.floor(kept / PAGE_ROWS); page * PAGE_ROWS < size; page++) {
        const first = Math.max(kept, page * PAGE_ROWS)
        const last = Math.min(size, (page + 1) * PAGE_ROWS)
        const words = rows.page(page)
        const bytes = new Uint8Array(words.buffer, (first % PAGE_ROWS) * ROW_BYTES, (last - first) * ROW_BYTES)
        writeSync(fd, bytes, 0, bytes.length, HEADER_BYTES + first * ROW_BYTES)
      }
      const lastPage = Math.floor(Math.max(0, size - 1) / PAGE_ROWS)
      const pageSum = sum(rows.page(lastPage).subarray(0, (size - lastPage * PAGE_ROWS) * WORDS))
      writeSync(fd, printHeader(rows, size, covered, tailSum(logFd, covered), pageSum, summary), 0, HEADER_BYTES, 0)
    } finally {
      closeSync(fd)
    }
    if (kept === 0) renameSync(target, file)
    return true
  } catch (error) {
    if (errno(error) === undefined) throw error
    if (kept === 0) discard(target)
    return false
  }
}

/** Whether the file is still there with the rows that we believe it has. */
function holds(file: string, rows: number): boolean {
  const header = readSummary(file)
  return header !== undefined && header.rows >= rows
}

/** The header of an index file by its name; undefined when there is none that can be used. */
export function readSummary(file: string): IndexHeader | undefined {
  let fd: number
  try {
    fd = openSync(file, "r")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
  try {
    const bytes = Buffer.allocUnsafe(SUMMARY_BYTES)
    return readSync(fd, bytes, 0, SUMMARY_BYTES, 0) === SUMMARY_BYTES ? parseHeader(bytes) : undefined
  } finally {
    closeSync(fd)
  }
}

function discard(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}
