// Pictures for tests: real ones, and ones that only look like it.
import { crc32, deflateSync } from "node:zlib"

/** A grey PNG of this size. */
export function png(width = 2, height = 2): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const rows = Buffer.alloc((width + 1) * height, 127)
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]).toString("base64")
}

/** It begins as a PNG does, and ends in the middle. */
export function brokenPng(): string {
  const whole = Buffer.from(png(64, 64), "base64")
  return whole.subarray(0, whole.length - 20).toString("base64")
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
