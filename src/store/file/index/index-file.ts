// The sidecar index: the rows of a log as they are in memory, in pages with a checksum each, after a header. Derived
// and deletable. Rows are a function of the log's bytes, so two processes that extend it write the same bytes.
import { closeSync, constants, fstatSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { offsetIn, type Rows, startOf } from "../../../history/rows/rows.ts"
import type { KnownSummary } from "../../log-summary.ts"
import { orNothing } from "../disk/problems.ts"
import { readAt } from "../disk/read-at.ts"
import { blockReader, lastPageOf, writeBlocks } from "./index-blocks.ts"
import { HEADER_BYTES, type IndexHeader, type Listing, parseHeader, parseTips, printHeader } from "./index-header.ts"
import { readFirstHalf } from "./read-listed.ts"
import type { TipsFile } from "./tips-file.ts"

export interface OpenIndex extends IndexHeader, ReturnType<typeof blockReader> {
  fd: number
  /** Or the file with the tips, if there are more than fit into the header. */
  tips: Uint32Array | TipsFile
}

/** Whether an index was made from the current content of the log. `last`: where its last row's line begins. */
export type FitsIndex = (index: Pick<IndexHeader, "covered" | "tailSum">, last: number) => boolean

/** Opens an index if it fits. If anything is wrong with it, it is ignored and rebuilt. */
export function openIndex(file: string, fits: FitsIndex): OpenIndex | undefined {
  const fd = openToRead(file)
  if (fd === undefined) return undefined
  const opened = orNothing(() => readIndex(fd, fits))
  if (opened === undefined) closeSync(fd)
  return opened
}

function readIndex(fd: number, fits: FitsIndex): OpenIndex | undefined {
  const bytes = readAt(fd, 0, HEADER_BYTES)
  const header = parseHeader(bytes)
  if (header === undefined || bytes.length < HEADER_BYTES || header.rows === 0) return undefined
  const tips = parseTips(bytes)
  if (tips === false) return undefined
  const reader = blockReader(fd, header.rows, header)
  const lastPage = lastPageOf(header.rows)
  let last = reader.page(lastPage)
  if (last === undefined) return undefined
  if (!fits(header, offsetIn(last, startOf(header.rows - 1)))) return undefined
  return {
    ...header,
    ...reader,
    fd,
    tips,
    page(number) {
      const read = (number === lastPage ? last : undefined) ?? reader.page(number)
      if (number === lastPage) last = undefined
      return read
    },
  }
}

/** Never blocks; undefined for anything but a regular file. */
function openToRead(file: string): number | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined || orNothing(() => fstatSync(fd).isFile()) === true) return fd
  closeSync(fd)
  return undefined
}

interface Extent {
  /** How many of the file's rows stay as they are; 0 writes a new file, by rename. */
  kept: number
  covered: number
  /** The fingerprint of the part of the log that the rows cover. */
  tailSum: number
  summary: KnownSummary
  listing: Listing | undefined
  /** The file with the tips, if they do not fit into the header. */
  tips: TipsFile | undefined
}

/** Writes all rows, which cover the log up to `covered`. Returns false if it cannot: an index is never needed. */
export function writeIndex(file: string, rows: Rows, extent: Extent): boolean {
  const { kept } = extent
  if (kept > 0 && !holds(file, kept)) return writeIndex(file, rows, { ...extent, kept: 0 })
  const target = kept > 0 ? file : `${file}.${process.pid}.tmp`
  const written = orNothing(() => {
    const fd = openSync(target, kept > 0 ? "r+" : "w", 0o600)
    try {
      return writeRows(fd, rows, extent)
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

function writeRows(fd: number, rows: Rows, { kept, ...said }: Extent): boolean {
  const sums = writeBlocks(fd, rows, kept)
  if (sums === undefined) return false
  const header = printHeader(rows, { rows: rows.size, ...sums, ...said })
  return header !== undefined && writeSync(fd, header, 0, header.length, 0) === header.length
}

/** Whether the file still exists with the rows that we believe it has. */
function holds(file: string, rows: number): boolean {
  const header = readFirstHalf(file, parseHeader)
  return header !== undefined && header.rows >= rows
}
