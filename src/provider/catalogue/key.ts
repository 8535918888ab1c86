// A key that cannot be printed by accident.
import { inspect } from "node:util"

const HIDDEN = "[hidden]"

/** Contract: no conversion to text shows the key; only `reveal` does. */
export class Key {
  readonly #text: string

  constructor(text: string) {
    this.#text = text.trim()
  }

  /** Only for the request itself. */
  reveal(): string {
    return this.#text
  }

  /** The text with every occurrence of the key removed. */
  hideIn(text: string): string {
    return this.#text === "" ? text : text.replaceAll(this.#text, HIDDEN)
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
