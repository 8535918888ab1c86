// JSON on one line. What could steer a terminal is escaped, so that the text stays the same for a program that reads it.
import type { Output } from "./cli.ts"

const STEERING = /[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

export function printJson(out: Output, value: unknown): void {
  const text = JSON.stringify(value)
  out.write(`${text.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`)
}
