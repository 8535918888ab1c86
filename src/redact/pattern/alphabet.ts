// Runs of characters of an alphabet. Each run is walked once, however often it is needed: hostile text costs no more.

/** Whether it contains a character, given by its code. */
export type Alphabet = (code: number) => boolean

/** Contract: costs nothing until it is used: alphabets are created when the program loads. */
export function alphabet(characters: RegExp): Alphabet {
  let known: Uint8Array | undefined
  const others = characters.test("é")
  return (code) => {
    known ??= Uint8Array.from({ length: 128 }, (_, each) => (characters.test(String.fromCharCode(each)) ? 1 : 0))
    return code < 128 ? known[code] === 1 : others
  }
}

export const LETTERS_AND_DIGITS = alphabet(/[A-Za-z0-9]/)
/** The characters of base64 for URLs, and of most tokens. */
export const TOKEN = alphabet(/[\w-]/)
export const BASE64 = alphabet(/[A-Za-z0-9+/]/)

/** Returns a function for where the run at `at` ends; it must be called in ascending order. */
export function runEnds(text: string): (of: Alphabet, at: number) => number {
  const last = new Map<Alphabet, { from: number; to: number }>()
  return (of, at) => {
    const known = last.get(of)
    if (known !== undefined && at >= known.from && at < known.to) return known.to
    let to = at
    while (to < text.length && of(text.charCodeAt(to))) to++
    last.set(of, { from: at, to })
    return to
  }
}
