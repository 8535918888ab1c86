// Finds the lines of a log that may contain a text, on bytes: other lines are never parsed, nor even decoded.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { LONGEST_LINE } from "../../../model/record/facts.ts"
import { attemptRead } from "../disk/problems.ts"

/** The lines that may match, from one chunk. */
export interface GrepHit {
  /** How many bytes have been read so far. */
  bytes: number
  lines: FoundLine[]
}

/** Contract: valid until the next chunk is read. */
export interface FoundLine {
  /** Where it begins in the file. */
  offset: number
  bytes: Buffer
}

/** V8 has memory ready for a string of this length; for one twice as long, the system would map memory each time. */
const CHUNK = 120 * 1024
const NEWLINE = 10
/** Large parts are not in the line itself, so a record that names a blob must be examined. */
export const NAMES_A_BLOB = Buffer.from('"blob":{')

/** The lines of one of our own logs. Contract: as `grepLines`. */
export function* grep(file: string, pattern: RegExp): Generator<GrepHit> {
  const fd = attemptRead(file, () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    const read: ReadInto = (bytes, at, length, offset) =>
      attemptRead(file, () => readSync(fd, bytes, at, length, offset))
    yield* grepLines(read, fstatSync(fd).size, pattern, { also: NAMES_A_BLOB })
  } finally {
    closeSync(fd)
  }
}

/** Reads into `bytes` from `at` on; returns how many bytes. */
export type ReadInto = (bytes: Buffer, at: number, length: number, offset: number) => number

export interface GrepOptions {
  /** Lines that contain these bytes are found too. */
  also?: Buffer | undefined
  /** Only lines that begin at or after this offset, and before `to`. */
  from?: number
  to?: number
}

/** Contract: `pattern` is global and comes from `bytePattern`. Skips lines that are longer than any reader accepts. */
export function* grepLines(
  read: ReadInto,
  size: number,
  pattern: RegExp,
  { also, from = 0, to = size }: GrepOptions = {},
): Generator<GrepHit> {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1))
  let filled = 0
  // If the byte before is a newline, a line begins here; otherwise it began earlier.
  let at = Math.max(0, from - 1)
  let skipping = from > 0
  while (at < size && at - filled < to) {
    const count = read(buffer, filled, Math.min(buffer.length - filled, size - at), at)
    if (count === 0) break
    at += count
    filled += count
    const bytes = buffer.subarray(0, filled)
    const end = at >= size ? filled : bytes.lastIndexOf(NEWLINE) + 1
    if (end === 0) {
      if (filled < buffer.length) continue
      // The line is longer than the buffer: use a larger one, or skip the line if it is too long for any reader.
      if (skipping || buffer.length >= LONGEST_LINE) [skipping, filled] = [true, 0]
      else buffer = grown(buffer, filled)
      continue
    }
    const base = at - filled
    const start = skipping ? bytes.indexOf(NEWLINE) + 1 || end : 0
    skipping = false
    const stop = base + end > to ? bytes.indexOf(NEWLINE, to - 1 - base) + 1 || end : end
    yield { bytes: at, lines: matches(bytes.subarray(start, stop), base + start, pattern, also) }
    if (stop < end) break
    buffer.copyWithin(0, end, filled)
    filled -= end
  }
}

function grown(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 4)
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** `base`: the offset of these bytes. */
function matches(bytes: Buffer, base: number, pattern: RegExp, also: Buffer | undefined): FoundLine[] {
  const text = bytes.toString("latin1")
  const lines = new Map<number, Buffer>()
  const add = (at: number): number => {
    const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? bytes.length : newline
    lines.set(start, bytes.subarray(start, end))
    return end
  }
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) pattern.lastIndex = add(match.index)
  if (also !== undefined) for (let at = bytes.indexOf(also); at !== -1; at = bytes.indexOf(also, at)) at = add(at)
  return [...lines].sort(([a], [b]) => a - b).map(([start, line]) => ({ offset: base + start, bytes: line }))
}

/**
 * A pattern over the bytes of a line, one character per byte, that matches wherever `text` occurs in one of its JSON
 * strings, plain or escaped. It may match more; a line that it does not match does not contain the text.
 */
export function bytePattern(text: string, cases: "same" | "any"): RegExp {
  return new RegExp(
    words(text)
      .map((word) => wordPattern(word, cases))
      .join(SPACE),
    "g",
  )
}

/** The same for the text itself, to find where it occurs. */
export function textPattern(text: string, cases: "same" | "any"): RegExp {
  return new RegExp(words(text).map(escaped).join("\\s+"), cases === "any" ? "iu" : "u")
}

/** A space matches any white space: a sentence may continue on the next line. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const SPACE = String.raw`(?:[ \t]|\\[ntrf]|\\u00(?:0[0-9a-dA-D]|20|[aA]0)|\xc2\xa0|\xe2\x80.|\xe3\x80\x80)+`

function wordPattern(word: string, cases: "same" | "any"): string {
  return Array.from(word)
    .map((character) => characterPattern(character, cases))
    .join("")
}

function characterPattern(character: string, cases: "same" | "any"): string {
  const variants =
    cases === "same" ? [character] : [...new Set([character, character.toLowerCase(), character.toUpperCase()])]
  // Nobody escapes ASCII letters and digits, and a short pattern is a quick one.
  if (/^[A-Za-z0-9]$/.test(character)) return variants.length === 1 ? character : `[${variants.join("")}]`
  const forms = new Set<string>()
  for (const variant of foldings(variants, cases)) {
    forms.add(escaped(Buffer.from(variant).toString("latin1")))
    forms.add(escaped(Buffer.from(JSON.stringify(variant).slice(1, -1)).toString("latin1")))
    forms.add(unicodeEscapes(variant))
    if (variant === "/") forms.add(String.raw`\\/`)
  }
  return `(?:${[...forms].join("|")})`
}

/** What matches a character when case is ignored, beyond upper and lower case: ſ and s, K (Kelvin) and k, ß and ẞ. */
function foldings(variants: readonly string[], cases: "same" | "any"): string[] {
  if (cases === "same") return [...variants]
  return [...new Set(variants.flatMap((variant) => [variant, ...(FOLDED.get(variant) ?? [])]))]
}

const FOLDED = new Map([
  ["ß", ["ẞ"]],
  ["σ", ["ς"]],
  ["ς", ["σ", "Σ"]],
  ["Σ", ["ς"]],
])

function unicodeEscapes(text: string): string {
  let pattern = ""
  for (let i = 0; i < text.length; i++) {
    const hex = text.charCodeAt(i).toString(16).padStart(4, "0")
    pattern += `\\\\u${Array.from(hex)
      .map((digit) => (digit < "a" ? digit : `[${digit}${digit.toUpperCase()}]`))
      .join("")}`
  }
  return pattern
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
