// An object in pack format: a header with its type and length, then its bytes as a zlib stream.
import { deflate } from "./deflate.ts"
import type { StoredObject } from "./object.ts"

export function packEntry({ type, data }: StoredObject): [header: Buffer, body: Buffer] {
  return [entryHeader(type === "tree" ? 2 : 3, data.length), deflate(data)]
}

function entryHeader(type: number, length: number): Buffer {
  const bytes = [(type << 4) | (length & 15)]
  for (let rest = Math.floor(length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}
