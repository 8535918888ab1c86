// An id as four 32-bit words: index rows store them, and they can be compared without creating strings.

/** Two hex digits for each byte. */
export const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** The byte for two hex digits, indexed by their character codes; negative for anything else. */
const PAIRS = new Int16Array(0x1_0000).fill(-1)
for (const [byte, digits] of HEX.entries()) PAIRS[(digits.charCodeAt(0) << 8) | digits.charCodeAt(1)] = byte

const DASH = 45

function pair(bytes: Uint8Array, at: number): number {
  return PAIRS[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] as number
}

/**
 * Reads the 36 bytes of a UUID at `at` into four words. Returns false, and leaves `words` undefined, if it is not one.
 * Unrolled: it runs twice per line of a log, and is a good part of the time to open a log without an index.
 */
export function readIdWords(bytes: Uint8Array, at: number, words: Uint32Array): boolean {
  if (bytes[at + 8] !== DASH || bytes[at + 13] !== DASH || bytes[at + 18] !== DASH || bytes[at + 23] !== DASH) {
    return false
  }
  const a0 = pair(bytes, at)
  const a1 = pair(bytes, at + 2)
  const a2 = pair(bytes, at + 4)
  const a3 = pair(bytes, at + 6)
  const b0 = pair(bytes, at + 9)
  const b1 = pair(bytes, at + 11)
  const b2 = pair(bytes, at + 14)
  const b3 = pair(bytes, at + 16)
  const c0 = pair(bytes, at + 19)
  const c1 = pair(bytes, at + 21)
  const c2 = pair(bytes, at + 24)
  const c3 = pair(bytes, at + 26)
  const d0 = pair(bytes, at + 28)
  const d1 = pair(bytes, at + 30)
  const d2 = pair(bytes, at + 32)
  const d3 = pair(bytes, at + 34)
  words[0] = (a0 << 24) | (a1 << 16) | (a2 << 8) | a3
  words[1] = (b0 << 24) | (b1 << 16) | (b2 << 8) | b3
  words[2] = (c0 << 24) | (c1 << 16) | (c2 << 8) | c3
  words[3] = (d0 << 24) | (d1 << 16) | (d2 << 8) | d3
  return (a0 | a1 | a2 | a3 | b0 | b1 | b2 | b3 | c0 | c1 | c2 | c3 | d0 | d1 | d2 | d3) >= 0
}

/** The words of an id that is known to be valid. */
export function idWords(id: string, words: Uint32Array = new Uint32Array(4)): Uint32Array {
  words[0] = wordIn(id, 0, 2, 4, 6)
  words[1] = wordIn(id, 9, 11, 14, 16)
  words[2] = wordIn(id, 19, 21, 24, 26)
  words[3] = wordIn(id, 28, 30, 32, 34)
  return words
}

function wordIn(id: string, a: number, b: number, c: number, d: number): number {
  return (pairIn(id, a) << 24) | (pairIn(id, b) << 16) | (pairIn(id, c) << 8) | pairIn(id, d)
}

function pairIn(id: string, at: number): number {
  return PAIRS[(id.charCodeAt(at) << 8) | id.charCodeAt(at + 1)] as number
}

function hex(word: number): string {
  return (
    (HEX[word >>> 24] as string) +
    (HEX[(word >>> 16) & 255] as string) +
    (HEX[(word >>> 8) & 255] as string) +
    (HEX[word & 255] as string)
  )
}

export function idText(a: number, b: number, c: number, d: number): string {
  const [second, third] = [hex(b), hex(c)]
  return `${hex(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(d)}`
}
