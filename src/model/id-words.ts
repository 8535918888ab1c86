// An id as four 32-bit words: what an index row holds, and what is compared without making strings.

export const NIBBLE = new Uint8Array(256).fill(255)
for (let digit = 0; digit < 16; digit++) NIBBLE[digit.toString(16).charCodeAt(0)] = digit

const DASH = 45
/** Where the 16 pairs of hex digits of a UUID start. */
const PAIRS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Reads the 36 bytes of a UUID at `at` into four words. False, with `words` undefined, when it is not one. */
export function readIdWords(bytes: Uint8Array, at: number, words: Uint32Array): boolean {
  if (bytes[at + 8] !== DASH || bytes[at + 13] !== DASH || bytes[at + 18] !== DASH || bytes[at + 23] !== DASH) {
    return false
  }
  let bad = 0
  for (let word = 0; word < 4; word++) {
    let value = 0
    for (let pair = word * 4; pair < word * 4 + 4; pair++) {
      const from = at + (PAIRS[pair] as number)
      const high = NIBBLE[bytes[from] as number] as number
      const low = NIBBLE[bytes[from + 1] as number] as number
      bad |= (high | low) & 0xf0
      value = (value << 8) | (high << 4) | low
    }
    words[word] = value
  }
  return bad === 0
}

/** The words of an id that is known to be one. */
export function idWords(id: string, words: Uint32Array = new Uint32Array(4)): Uint32Array {
  const hex = id.replaceAll("-", "")
  for (let word = 0; word < 4; word++) words[word] = Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16)
  return words
}

export function idText(a: number, b: number, c: number, d: number): string {
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0")
  const [second, third, fourth] = [hex(b), hex(c), hex(d)]
  return `${hex(a)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`
}
