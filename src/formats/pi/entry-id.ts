// pi's ids as ours. They are eight hex digits, which become the end of our ids; an extension may use others.
import { createHash } from "node:crypto"
import { madeWords } from "../ids.ts"

/** The last word of our id. */
export function endOf(id: string): number {
  if (/^[0-9a-f]{8}$/.test(id)) return Number.parseInt(id, 16)
  return createHash("sha256").update(id).digest().readUInt32BE(0)
}

export function entryWords(ms: number, session: string, id: string): Uint32Array {
  const words = madeWords(ms, `${session} ${id}`)
  words[3] = endOf(id)
  return words
}

/** The same as text, with which our id ends. */
export function endDigits(id: string): string {
  return endOf(id).toString(16).padStart(8, "0")
}
