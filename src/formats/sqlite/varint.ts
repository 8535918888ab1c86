// Numbers of one to nine bytes, as SQLite writes them.

export interface Varint {
  value: number
  /** The offset of the next byte. */
  end: number
}

/** Numbers over 2^53 lose their last digits: only row ids could be that large, and no program creates such ids. */
export function readVarint(bytes: Buffer, at: number): Varint {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, end: at + i + 1 }
  }
  return { value: value * 256 + (bytes[at + 8] ?? 0), end: at + 9 }
}
