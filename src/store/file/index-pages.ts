// Behind the header of a sidecar index: groups of pages, each with a block before it that says which ids a page holds.
import { writeSync } from "node:fs"
import { crc32 } from "node:zlib"
import { PAGE_ROWS, PAGE_WORDS, ROW_BYTES, WORDS } from "../../history/columns.ts"
import type { Rows } from "../../history/rows.ts"
import { Zones } from "../../history/zones.ts"
import { HEADER_BYTES } from "./index-header.ts"
import { readInto } from "./read.ts"

/** Before a page: the checksums of its ends of ids and of its rows, once it is full. */
const SUMS_BYTES = 8
const TAILS_BYTES = PAGE_ROWS * 4
const PAGE_BYTES = SUMS_BYTES + PAGE_WORDS * 4
const GROUP_PAGES = 1024
/** The first and the last time in the ids of a page. */
const ZONE_BYTES = 16
const GROUP_BYTES = GROUP_PAGES * (ZONE_BYTES + PAGE_BYTES)

function groupOf(page: number): number {
  return HEADER_BYTES + Math.floor(page / GROUP_PAGES) * GROUP_BYTES
}

function zoneAt(page: number): number {
  return groupOf(page) + (page % GROUP_PAGES) * ZONE_BYTES
}

function pageAt(page: number): number {
  return groupOf(page) + GROUP_PAGES * ZONE_BYTES + (page % GROUP_PAGES) * PAGE_BYTES
}

export function pagesOf(rows: number): number {
  return Math.ceil(rows / PAGE_ROWS)
}

function rowsOn(page: number, rows: number): number {
  return Math.min(PAGE_ROWS, rows - page * PAGE_ROWS)
}

/** A page of which `rows` says how far it is filled; undefined when it is damaged. `sum`: of a page that is not full. */
export function readPage(fd: number, page: number, rows: number, sum: number): Uint32Array | undefined {
  const count = rowsOn(page, rows)
  const bytes = new Uint8Array(PAGE_BYTES)
  const length = SUMS_BYTES + TAILS_BYTES + count * ROW_BYTES
  if (readInto(fd, bytes, length, pageAt(page)) < length) return undefined
  const words = new Uint32Array(bytes.buffer, SUMS_BYTES)
  if (page === pagesOf(rows) - 1) return pageSum(words, count) === sum ? words : undefined
  const [tailsSum, rowsSum] = new Uint32Array(bytes.buffer, 0, 2)
  return tailsSum === sumOfTails(words, count) && rowsSum === sumOfRows(words, count) ? words : undefined
}

/** The ends of the ids of a full page; undefined when they are damaged. */
export function readTails(fd: number, page: number): Uint32Array | undefined {
  const bytes = new Uint8Array(SUMS_BYTES + TAILS_BYTES)
  if (readInto(fd, bytes, bytes.length, pageAt(page)) < bytes.length) return undefined
  const tails = new Uint32Array(bytes.buffer, SUMS_BYTES)
  return new Uint32Array(bytes.buffer, 0, 1)[0] === sumOfTails(tails, PAGE_ROWS) ? tails : undefined
}

/** Undefined when they are damaged. */
export function readZones(fd: number, pages: number, sum: number): Zones | undefined {
  const times = new Float64Array(pages * 2)
  const bytes = new Uint8Array(times.buffer)
  for (let page = 0; page < pages; page += GROUP_PAGES) {
    const part = bytes.subarray(page * ZONE_BYTES, (page + GROUP_PAGES) * ZONE_BYTES)
    if (readInto(fd, part, part.length, zoneAt(page)) < part.length) return undefined
  }
  return crc32(bytes) === sum ? new Zones(times) : undefined
}

export interface Sums {
  lastPageSum: number
  zonesSum: number
}

/** Writes rows and what is said of pages, from row `kept` on. Answers checksums; undefined when there is no room. */
export function writePages(fd: number, rows: Rows, kept: number): Sums | undefined {
  const times = new Float64Array(rows.zones.times)
  const zones = new Uint8Array(times.buffer)
  const pages = pagesOf(rows.size)
  let lastPageSum = 0
  for (let page = Math.floor(kept / PAGE_ROWS); page < pages; page++) {
    const words = rows.page(page)
    const count = rowsOn(page, rows.size)
    if (!writePage(fd, page, words, Math.max(0, kept - page * PAGE_ROWS), count)) return undefined
    if (!writeAt(fd, zones.subarray(page * ZONE_BYTES, (page + 1) * ZONE_BYTES), zoneAt(page))) return undefined
    lastPageSum = pageSum(words, count)
  }
  return { lastPageSum, zonesSum: crc32(zones) }
}

/** Only rows from `first` on: another process may know more of the page than we do, and has written the same rows. */
function writePage(fd: number, page: number, words: Uint32Array, first: number, count: number): boolean {
  const at = pageAt(page)
  const tails = bytesOf(words, first, count)
  const rows = bytesOf(words, PAGE_ROWS + first * WORDS, PAGE_ROWS + count * WORDS)
  if (!writeAt(fd, tails, at + SUMS_BYTES + first * 4)) return false
  if (!writeAt(fd, rows, at + SUMS_BYTES + TAILS_BYTES + first * ROW_BYTES)) return false
  if (count < PAGE_ROWS) return true
  const sums = new Uint32Array([sumOfTails(words, count), sumOfRows(words, count)])
  return writeAt(fd, bytesOf(sums, 0, 2), at)
}

function bytesOf(words: Uint32Array, from: number, to: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + from * 4, (to - from) * 4)
}

function sumOfTails(words: Uint32Array, count: number): number {
  return crc32(bytesOf(words, 0, count))
}

function sumOfRows(words: Uint32Array, count: number): number {
  return crc32(bytesOf(words, PAGE_ROWS, PAGE_ROWS + count * WORDS))
}

function pageSum(words: Uint32Array, count: number): number {
  return (sumOfTails(words, count) ^ sumOfRows(words, count)) >>> 0
}

function writeAt(fd: number, bytes: Uint8Array, position: number): boolean {
  return writeSync(fd, bytes, 0, bytes.length, position) === bytes.length
}
