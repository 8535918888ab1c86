// JSON on one line. What could control a terminal is escaped, so the text is the same for a program that reads it.
import { setImmediate } from "node:timers/promises"
import type { Output } from "./cli.ts"

const STEERING = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

export function printJson(out: Output, value: unknown): void {
  out.write(`${jsonText(value)}\n`)
}

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  return text.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

const CHUNK = 64 * 1024

/**
 * A list with one element per line, written as it is made. `before` and `after` surround it. The reader may have seen
 * enough: between two writes there is time to notice that.
 */
export async function printJsonList(out: Output, elements: Iterable<unknown>, before = "", after = ""): Promise<void> {
  let text = `${before}[`
  let first = true
  for (const element of elements) {
    text += `${first ? "" : ","}\n${jsonText(element)}`
    first = false
    if (text.length < CHUNK) continue
    out.write(text)
    text = ""
    await setImmediate()
  }
  out.write(`${text}${first ? "" : "\n"}]${after}\n`)
}
