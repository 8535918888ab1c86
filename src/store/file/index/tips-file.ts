// The tips of a log with more of them than its index has room for: a count of rows, a checksum, then the tips. If it
// covers fewer rows than the index, only the rows added since are walked. The index says which file it means; any other
// is ignored, and all rows are walked instead. Derived and deletable.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { orNothing, replaceIfPossible } from "../disk/problems.ts"

const HEAD_BYTES = 8

/** Which tips a file contains: those of the first `rows` rows, with this checksum. */
export interface TipsFile {
  rows: number
  sum: number
}

/** Contract: never fails; undefined if it cannot be written, which only costs time later. */
export function writeTips(file: string, rows: number, tips: Uint32Array): TipsFile | undefined {
  const body = Buffer.from(tips.buffer, tips.byteOffset, tips.byteLength)
  const sum = crc32(body, rows)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(rows, 0)
  head.writeUInt32LE(sum, 4)
  return replaceIfPossible(file, Buffer.concat([head, body])) ? { rows, sum } : undefined
}

/** The tips that an index refers to; undefined if the file contains others, or cannot be trusted. */
export function readTips(file: string, { rows, sum }: TipsFile): Uint32Array | undefined {
  const bytes = readWhole(file)
  if (bytes === undefined || bytes.length < HEAD_BYTES || bytes.length % 4 !== 0) return undefined
  if (bytes.readUInt32LE(0) !== rows || bytes.readUInt32LE(4) !== sum) return undefined
  const body = bytes.subarray(HEAD_BYTES)
  if (crc32(body, rows) !== sum) return undefined
  return new Uint32Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length))
}

/** Never blocks; undefined for anything but a regular file. */
function readWhole(file: string): Buffer | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined) return undefined
  try {
    return orNothing(() => (fstatSync(fd).isFile() ? readFileSync(fd) : undefined))
  } finally {
    closeSync(fd)
  }
}
