// What every writer of another agent's session needs.
import { createHash } from "node:crypto"

/** The text of a part; empty if it was moved out of the record. */
export function textIn(part: { text?: string }): string {
  return part.text ?? ""
}

/** A UUID that does not begin with a time, because agents use its first digits as a short name. */
export function randomUuid(id: string): string {
  const digits = createHash("sha256").update(id).digest("hex")
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-")
}

/** Lines of JSON as bytes. */
export function linesOf(lines: readonly object[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}
