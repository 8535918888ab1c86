// The tips of a log that has more of them than its index has room for: a count of rows, a checksum, then the tips.
// Derived and deletable: one that does not fit the index is not used, and the rows are walked instead.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import { orNothing, replaceIfPossible } from "../disk/problems.ts"

const HEAD_BYTES = 8

/** Contract: never fails; a file that cannot be written is missed by nobody. */
export function writeTips(file: string, rows: number, tips: Uint32Array): void {
  const body = Buffer.from(tips.buffer, tips.byteOffset, tips.byteLength)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32LE(rows, 0)
  head.writeUInt32LE(crc32(body, rows), 4)
  replaceIfPossible(file, Buffer.concat([head, body]))
}

/** The tips that were written for so many rows; undefined when there are none, or none that can be trusted. */
export function readTips(file: string, rows: number): Uint32Array | undefined {
  const bytes = readWhole(file)
  if (bytes === undefined || bytes.length < HEAD_BYTES || bytes.length % 4 !== 0) return undefined
  if (bytes.readUInt32LE(0) !== rows) return undefined
  const body = bytes.subarray(HEAD_BYTES)
  if (crc32(body, rows) !== bytes.readUInt32LE(4)) return undefined
  return new Uint32Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length))
}

/** Never blocks, and answers nothing for what is not a regular file. */
function readWhole(file: string): Buffer | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined) return undefined
  try {
    return orNothing(() => (fstatSync(fd).isFile() ? readFileSync(fd) : undefined))
  } finally {
    closeSync(fd)
  }
}
