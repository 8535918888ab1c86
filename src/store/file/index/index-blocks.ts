// What follows the header of a sidecar index: blocks of rows, in groups that begin with the id times of each block.
import { writevSync } from "node:fs"
import { crc32 } from "node:zlib"
import { BlockTimes } from "../../../history/rows/block-times.ts"
import { BLOCK_ROWS, PAGE_ROWS, PAGE_WORDS, ROW_BYTES, WORDS } from "../../../history/rows/columns.ts"
import type { Rows } from "../../../history/rows/rows.ts"
import { readInto } from "../disk/read-at.ts"
import { HEADER_BYTES, type Sums } from "./index-header.ts"

/** The checksum after a page, and after the last words of a block's ids, once these are full. */
const SUM_BYTES = 4
const PAGE_BYTES = PAGE_ROWS * ROW_BYTES + SUM_BYTES
const TAILS_BYTES = BLOCK_ROWS * 4 + SUM_BYTES
/** A block is the last words of its ids, then pages. */
const BLOCK_BYTES = TAILS_BYTES + (BLOCK_ROWS / PAGE_ROWS) * PAGE_BYTES
const GROUP_BLOCKS = 1024
/** The earliest and the latest time of the ids in a block. */
const TIMES_BYTES = 16
const GROUP_BYTES = GROUP_BLOCKS * (TIMES_BYTES + BLOCK_BYTES)

function groupOf(block: number): number {
  return HEADER_BYTES + Math.floor(block / GROUP_BLOCKS) * GROUP_BYTES
}

export function timesAt(block: number): number {
  return groupOf(block) + (block % GROUP_BLOCKS) * TIMES_BYTES
}

export function blockAt(block: number): number {
  return groupOf(block) + GROUP_BLOCKS * TIMES_BYTES + (block % GROUP_BLOCKS) * BLOCK_BYTES
}

export function pageAt(page: number): number {
  const first = page * PAGE_ROWS
  return blockAt(Math.floor(first / BLOCK_ROWS)) + TAILS_BYTES + ((first % BLOCK_ROWS) / PAGE_ROWS) * PAGE_BYTES
}

function blocksOf(rows: number): number {
  return Math.ceil(rows / BLOCK_ROWS)
}

export function lastPageOf(rows: number): number {
  return Math.ceil(rows / PAGE_ROWS) - 1
}

/** The content of an index, read on demand; each function returns undefined if that part is damaged. */
export function blockReader(fd: number, rows: number, sums: Sums) {
  return {
    page(page: number): Uint32Array | undefined {
      const count = Math.min(PAGE_ROWS, rows - page * PAGE_ROWS)
      const known = page === lastPageOf(rows) ? sums.lastPageSum : undefined
      return readSummed(fd, pageAt(page), PAGE_WORDS, count * WORDS, known)
    },
    tails(block: number): Uint32Array | undefined {
      const count = Math.min(BLOCK_ROWS, rows - block * BLOCK_ROWS)
      const known = block === blocksOf(rows) - 1 ? sums.lastTailsSum : undefined
      return readSummed(fd, blockAt(block), BLOCK_ROWS, count, known)
    },
    blockTimes(): BlockTimes | undefined {
      const times = new Float64Array(blocksOf(rows) * 2)
      const bytes = new Uint8Array(times.buffer)
      for (let block = 0; block * TIMES_BYTES < bytes.length; block += GROUP_BLOCKS) {
        const part = bytes.subarray(block * TIMES_BYTES, (block + GROUP_BLOCKS) * TIMES_BYTES)
        if (readInto(fd, part, part.length, timesAt(block)) < part.length) return undefined
      }
      return crc32(bytes) === sums.timesSum ? new BlockTimes(times) : undefined
    },
  }
}

/** `count` of `most` words, checked against the sum that follows the last of them, or against a known one. */
function readSummed(
  fd: number,
  position: number,
  most: number,
  count: number,
  known: number | undefined,
): Uint32Array | undefined {
  const words = new Uint32Array(most + 1)
  const bytes = bytesOf(words, 0, known === undefined ? most + 1 : count)
  if (readInto(fd, bytes, bytes.length, position) < bytes.length) return undefined
  return crc32(bytesOf(words, 0, count)) === (known ?? words[most]) ? words.subarray(0, most) : undefined
}

function bytesOf(words: Uint32Array, from: number, to: number): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset + from * 4, (to - from) * 4)
}

/**
 * Writes rows, and the data of their blocks, from row `kept` on. Only those: another process may know more than we do,
 * and has written the same rows before its own. Returns checksums; undefined if there is no room.
 */
export function writeBlocks(fd: number, rows: Rows, kept: number): Sums | undefined {
  const { times } = rows.blockTimes
  const bytes = new Uint8Array(times.buffer, times.byteOffset, times.byteLength)
  for (let block = Math.floor(kept / BLOCK_ROWS); block < blocksOf(rows.size); block++) {
    const first = Math.max(kept, block * BLOCK_ROWS)
    const last = Math.min(rows.size, (block + 1) * BLOCK_ROWS)
    if (!writeRows(fd, rows, first, last) || !writeTails(fd, rows, block, first, last)) return undefined
    if (!writeAt(fd, [bytes.subarray(block * TIMES_BYTES, (block + 1) * TIMES_BYTES)], timesAt(block))) return undefined
  }
  const page = lastPageOf(rows.size)
  const block = blocksOf(rows.size) - 1
  return {
    lastPageSum: crc32(bytesOf(rows.page(page), 0, (rows.size - page * PAGE_ROWS) * WORDS)),
    lastTailsSum: crc32(bytesOf(rows.tails(block), 0, rows.size - block * BLOCK_ROWS)),
    timesSum: crc32(bytes),
  }
}

/** Writes the rows of one block in one piece, with the sums of the pages that are full now. */
function writeRows(fd: number, rows: Rows, first: number, last: number): boolean {
  const parts: Uint8Array[] = []
  for (let page = Math.floor(first / PAGE_ROWS); page * PAGE_ROWS < last; page++) {
    const from = Math.max(first - page * PAGE_ROWS, 0)
    const to = Math.min(last - page * PAGE_ROWS, PAGE_ROWS)
    const words = rows.page(page)
    parts.push(bytesOf(words, from * WORDS, to * WORDS))
    if (to === PAGE_ROWS) parts.push(sumOf(bytesOf(words, 0, PAGE_WORDS)))
  }
  return writeAt(fd, parts, pageAt(Math.floor(first / PAGE_ROWS)) + (first % PAGE_ROWS) * ROW_BYTES)
}

function writeTails(fd: number, rows: Rows, block: number, first: number, last: number): boolean {
  const start = block * BLOCK_ROWS
  const tails = rows.tails(block)
  const parts = [bytesOf(tails, first - start, last - start)]
  if (last - start === BLOCK_ROWS) parts.push(sumOf(bytesOf(tails, 0, BLOCK_ROWS)))
  return writeAt(fd, parts, blockAt(block) + (first - start) * 4)
}

function sumOf(bytes: Uint8Array): Uint8Array {
  return bytesOf(new Uint32Array([crc32(bytes)]), 0, 1)
}

/** Without copying: copies of all rows of a long log would need as much memory again. */
function writeAt(fd: number, parts: readonly Uint8Array[], position: number): boolean {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return writevSync(fd, parts, position) === length
}
