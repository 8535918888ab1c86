// How the bytes of an object are stored: as a zlib stream.
import { deflateSync } from "node:zlib"

export function deflate(data: Buffer): Buffer {
  if (data.length <= STORED_UP_TO) return stored(data)
  return deflateSync(data, { level: 1, chunkSize: Math.min(16384, (data.length >> 1) + 64) })
}

/**
 * Most objects are small, and then setting up the compressor costs more than everything else. They are stored
 * uncompressed: a file of this size takes a disk block anyway, so the store is no larger than the files.
 */
const STORED_UP_TO = 4096

function stored(data: Buffer): Buffer {
  const { length } = data
  const stream = Buffer.allocUnsafe(length + 11)
  stream.writeUInt16BE(0x7801, 0)
  stream[2] = 1
  stream.writeUInt16LE(length, 3)
  stream.writeUInt16LE(~length & 0xffff, 5)
  data.copy(stream, 7)
  stream.writeUInt32BE(adler32(data), length + 7)
  return stream
}

/** Contract: for at most 5,000 bytes, so that the sums stay exact without taking the remainder each time. */
function adler32(data: Buffer): number {
  let [a, b] = [1, 0]
  for (let i = 0; i < data.length; i++) {
    a += data[i] as number
    b += a
  }
  return (((b % 65521) << 16) | (a % 65521)) >>> 0
}
