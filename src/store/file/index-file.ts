// The sidecar index: the rows of a log as they are in memory, in pages with a checksum each, behind a header.
// Derived and deletable. Rows are a function of the log's bytes, so two processes that extend it write the same bytes.
import { closeSync, constants, fstatSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { PAGE_ROWS, ROW_BYTES, WORDS } from "../../history/columns.ts"
import type { Known, Rows } from "../../history/rows.ts"
import type { LogSummary } from "../summary.ts"
import { HEADER_BYTES, type IndexHeader, parseHeader, parseTips, printHeader, SUMMARY_BYTES } from "./index-header.ts"
import { errno } from "./problems.ts"
import { readAt } from "./read.ts"

/** How much of the log's end is compared. */
const TAIL_BYTES = 64
/** A page and the checksum that follows it once it is full. The sum of the last page is in the header. */
const PAGE_BYTES = PAGE_ROWS * ROW_BYTES + 8

export interface OpenIndex extends IndexHeader {
  fd: number
  tips: Known["tips"]
  /** A page of rows; undefined when it is damaged. */
  page(number: number): Uint32Array | undefined
}

/** Opens the index of a log if it fits. Anything wrong with it, and there is none: it is made anew. */
export function openIndex(file: string, logFd: number, logSize: number): OpenIndex | undefined {
  const fd = openToRead(file)
  if (fd === undefined) return undefined
  const opened = orNothing(() => readIndex(fd, logFd, logSize))
  if (opened === undefined) closeSync(fd)
  return opened
}

function readIndex(fd: number, logFd: number, logSize: number): OpenIndex | undefined {
  const bytes = readAt(fd, 0, HEADER_BYTES)
  const header = parseHeader(bytes)
  if (header === undefined || bytes.length < HEADER_BYTES || header.rows === 0) return undefined
  if (header.covered > logSize || tailSum(logFd, header.covered) !== header.tailSum) return undefined
  const tips = parseTips(bytes)
  if (tips === false) return undefined
  const lastPage = Math.floor((header.rows - 1) / PAGE_ROWS)
  const last = readPage(fd, lastPage, header.rows)
  if (last === undefined || sum(last) !== header.lastPageSum) return undefined
  const page = (number: number) => {
    if (number === lastPage) return last
    const words = readPage(fd, number, header.rows)
    if (words === undefined) return undefined
    return sum(words) === readAt(fd, placeOf(number) + PAGE_BYTES - 8, 4).readUInt32LE(0) ? words : undefined
  }
  return { ...header, fd, tips, page }
}

/** Never blocks, and answers nothing for what is not a regular file. */
function openToRead(file: string): number | undefined {
  return orNothing(() => {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
    return undefined
  })
}

function placeOf(page: number): number {
  return HEADER_BYTES + page * PAGE_BYTES
}

function readPage(fd: number, number: number, rows: number): Uint32Array | undefined {
  const count = Math.min(PAGE_ROWS, rows - number * PAGE_ROWS)
  const bytes = readAt(fd, placeOf(number), count * ROW_BYTES)
  if (bytes.length < count * ROW_BYTES) return undefined
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

interface Extent {
  /** Rows that the file holds already, and that are left as they are; 0 makes a new file, by rename. */
  kept: number
  covered: number
  summary: LogSummary
}

/** Writes all rows, which stand for the log up to `covered`. Answers false when it cannot: an index is never needed. */
export function writeIndex(file: string, logFd: number, rows: Rows, { kept, covered, summary }: Extent): boolean {
  if (kept > 0 && !holds(file, kept)) return writeIndex(file, logFd, rows, { kept: 0, covered, summary })
  const target = kept > 0 ? file : `${file}.${process.pid}.tmp`
  const written = orNothing(() => {
    const fd = openSync(target, kept > 0 ? "r+" : "w", 0o600)
    try {
      return writeRows(fd, logFd, rows, { kept, covered, summary })
    } finally {
      closeSync(fd)
    }
  })
  if (kept > 0) return written === true
  if (written === true && succeeds(() => renameSync(target, file))) return true
  succeeds(() => unlinkSync(target))
  return false
}

function succeeds(work: () => void): boolean {
  const done = orNothing(() => {
    work()
    return true
  })
  return done === true
}

function writeRows(fd: number, logFd: number, rows: Rows, { kept, covered, summary }: Extent): boolean {
  const size = rows.size
  for (let page = Math.floor(kept / PAGE_ROWS); page * PAGE_ROWS < size; page++) {
    const first = Math.max(kept, page * PAGE_ROWS) - page * PAGE_ROWS
    const last = Math.min(size - page * PAGE_ROWS, PAGE_ROWS)
    const words = rows.page(page)
    const bytes = new Uint8Array(words.buffer, first * ROW_BYTES, (last - first) * ROW_BYTES)
    if (!writeAt(fd, bytes, placeOf(page) + first * ROW_BYTES)) return false
    if (last === PAGE_ROWS && !writeAt(fd, word(sum(words)), placeOf(page) + PAGE_BYTES - 8)) return false
  }
  const lastPage = Math.floor(Math.max(0, size - 1) / PAGE_ROWS)
  const lastPageSum = sum(rows.page(lastPage).subarray(0, (size - lastPage * PAGE_ROWS) * WORDS))
  const header = printHeader(rows, { rows: size, covered, tailSum: tailSum(logFd, covered), lastPageSum, summary })
  return header !== undefined && writeAt(fd, header, 0)
}

function word(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function writeAt(fd: number, bytes: Uint8Array, position: number): boolean {
  return writeSync(fd, bytes, 0, bytes.length, position) === bytes.length
}

/** Whether the file is still there with the rows that we believe it has. */
function holds(file: string, rows: number): boolean {
  const header = readSummary(file)
  return header !== undefined && header.rows >= rows
}

/** The header of an index file by its name; undefined when there is none that can be used. */
export function readSummary(file: string): IndexHeader | undefined {
  const fd = openToRead(file)
  if (fd === undefined) return undefined
  const header = orNothing(() => parseHeader(readAt(fd, 0, SUMMARY_BYTES)))
  closeSync(fd)
  return header
}

/** What `work` answers; undefined when the system refuses it. */
function orNothing<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}
