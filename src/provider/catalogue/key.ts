// A key that cannot be printed by accident.
import { inspect } from "node:util"

const HIDDEN = "[hidden]"

/** Contract: no way of turning it into text shows the key; only `reveal` does. */
export class Key {
  readonly #text: string

  constructor(text: string) {
    this.#text = text.trim()
  }

  /** For the request itself, and for nothing else. */
  reveal(): string {
    return this.#text
  }

  /** The text with every occurrence of the key taken out. */
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
