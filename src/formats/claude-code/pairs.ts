// Walks over the `"key":value` pairs of a JSON object in bytes, as long as values are plain. Allocates no strings.
import { matches } from "../../model/bytes.ts"

const QUOTE = 34
const COMMA = 44
const COLON = 58
const LIST = 91
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125

/** Contract: `at` is where a key begins or the object ends. There is no white space between pairs, as JSON.stringify writes it. */
export class Pairs {
  #bytes: Uint8Array = new Uint8Array(0)
  #end = 0
  at = 0
  keyStart = 0
  keyEnd = 0

  from(bytes: Uint8Array, at: number, end: number): void {
    this.#bytes = bytes
    this.#end = end
    this.at = at
  }

  /** Moves to the value of the next pair. False if no pair begins here or its key contains an escape. */
  next(): boolean {
    const bytes = this.#bytes
    if (bytes[this.at] === COMMA) this.at++
    if (bytes[this.at] !== QUOTE) return false
    this.keyStart = this.at + 1
    let at = this.keyStart
    while (at < this.#end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
    this.keyEnd = at
    this.at = at + 2
    return bytes[at] === QUOTE && bytes[at + 1] === COLON
  }

  keyIs(word: Uint8Array): boolean {
    return this.keyEnd - this.keyStart === word.length && matches(this.#bytes, this.keyStart, word)
  }

  /** Skips a string, a number or a literal. False if the value is an object or an array, or does not end here. */
  skip(): boolean {
    const bytes = this.#bytes
    const first = bytes[this.at]
    if (first === OPEN || first === LIST) return false
    if (first === QUOTE) {
      let at = this.at + 1
      while (at < this.#end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
      this.at = at + 1
      return at < this.#end
    }
    while (this.at < this.#end && bytes[this.at] !== COMMA && bytes[this.at] !== CLOSE) this.at++
    return this.at < this.#end
  }

  /** Whether only plain values follow, up to the closing brace, which is the last byte. */
  isPlainToEnd(): boolean {
    while (this.next()) if (!this.skip()) return false
    return this.at === this.#end - 1 && this.#bytes[this.at] === CLOSE
  }
}
