// Lines as bytes: what printRecord prints, in half the time, because JSON.stringify is slow with long texts. A record is
// printed with a hole for each of those, which is then filled byte by byte.
import { Buffer } from "node:buffer"
import { unreachable } from "../unreachable.ts"
import type { Part } from "./part.ts"
import type { WritableRecord } from "./record.ts"
import { afterContent, beforeContent, printMessage, printRecord } from "./record-print.ts"

/** Shorter texts are printed with the rest; longer ones are rare, because they are stored as blobs. */
const SHORTEST = 256
const LONGEST = 32 * 1024
const HOLE = "\u0001hole\u0001"
const PRINTED_HOLE = JSON.stringify(HOLE)

const NEWLINE = 10
const QUOTE = 34
const BACKSLASH = 92
const UNICODE = 117
/** For each byte: what follows the backslash if it is escaped, else 0. */
const ESCAPES = new Uint8Array(256).fill(UNICODE, 0, 32)
for (const pair of ["\bb", "\tt", "\nn", "\ff", "\rr", '""', "\\\\"]) ESCAPES[pair.charCodeAt(0)] = pair.charCodeAt(1)

/** A text before it is escaped, and the lines. Constants, and not fields, because their loops are quicker so. */
const text = Buffer.allocUnsafeSlow(LONGEST * 3)
const words = new Int32Array(text.buffer)
const lines = Buffer.allocUnsafeSlow(1024 * 1024)
const out = new DataView(lines.buffer)
/** The order of bytes in `words`, so that they are put down as they were taken. */
const LITTLE = new Uint8Array(new Int32Array([1]).buffer)[0] === 1
let end = 0

export interface LineBytes {
  /** Contract: valid until the next lines are printed. */
  bytes: Uint8Array
  /** Of each record, without its newline. */
  lengths: number[]
}

/** The records as lines, each with its newline, after so many blank ones. */
export function printLines(records: readonly WritableRecord[], blank: number): LineBytes {
  const lengths: number[] = []
  end = 0
  for (let i = 0; i < blank; i++) lines[end++] = NEWLINE
  for (const record of records) {
    const start = end
    if (!addRecord(record)) return printSlowly(records, blank)
    lengths.push(end - start)
    lines[end++] = NEWLINE
  }
  return { bytes: lines.subarray(0, end), lengths }
}

/** For what has no room in `lines`. */
function printSlowly(records: readonly WritableRecord[], blank: number): LineBytes {
  const printed = records.map((record) => Buffer.from(`${printRecord(record)}\n`))
  return {
    bytes: Buffer.concat([Buffer.alloc(blank, NEWLINE), ...printed]),
    lengths: printed.map((line) => line.length - 1),
  }
}

/** False when there is no room for it. */
function addRecord(record: WritableRecord): boolean {
  if (record.type !== "message") return addText(printRecord(record))
  const only = onlyText(record.content)
  if (only !== undefined) {
    const before = `${beforeContent(record)}[{"type":"text","text":`
    return addText(before) && addEscaped(only) && addText(`}]${afterContent(record)}`)
  }
  const texts: string[] = []
  const printed = printMessage(record, withHoles(record.content, texts))
  if (texts.length === 0) return addText(printed)
  const start = end
  let from = 0
  for (const long of texts) {
    const hole = printed.indexOf(PRINTED_HOLE, from)
    if (!addText(printed.slice(from, hole)) || !addEscaped(long)) return false
    from = hole + PRINTED_HOLE.length
  }
  if (!printed.includes(PRINTED_HOLE, from)) return addText(printed.slice(from))
  // One too many: a short text looks like a hole, and nobody knows which.
  end = start
  return addText(printRecord(record))
}

/** The long text of a content that is this text and nothing else, as most are. */
function onlyText(parts: readonly Part[]): string | undefined {
  const [part] = parts
  if (parts.length !== 1 || part?.type !== "text") return undefined
  // Among what else a part may have is the name of the blob that holds its text.
  for (const field in part) if (field !== "type" && field !== "text") return undefined
  return isLong(part.text) ? part.text : undefined
}

function addText(printed: string): boolean {
  if (end + printed.length * 3 + 1 > lines.length) return false
  end += lines.write(printed, end, "utf8")
  return true
}

/** Four bytes a turn: those without anything to escape, which are most, are copied as one number. */
function addEscaped(long: string): boolean {
  const length = text.write(long, 0, "utf8")
  if (end + length * 6 + 3 > lines.length) return false
  let at = end
  lines[at++] = QUOTE
  const whole = length >> 2
  for (let word = 0; word < whole; word++) {
    const four = words[word] as number
    if (hasNoEscape(four)) {
      out.setInt32(at, four, LITTLE)
      at += 4
      continue
    }
    const i = word << 2
    at = put(at, text[i] as number)
    at = put(at, text[i + 1] as number)
    at = put(at, text[i + 2] as number)
    at = put(at, text[i + 3] as number)
  }
  for (let i = whole << 2; i < length; i++) at = put(at, text[i] as number)
  lines[at++] = QUOTE
  end = at
  return true
}

/**
 * Whether none of the four bytes is a control character, a quote or a backslash: no subtraction borrows the top bit of
 * a byte that had none, as all of ASCII.
 */
function hasNoEscape(four: number): boolean {
  const control = four - 0x20202020
  const quote = (four ^ 0x22222222) - 0x01010101
  const backslash = (four ^ 0x5c5c5c5c) - 0x01010101
  return ((control | quote | backslash) & ~four & 0x80808080) === 0
}

/** Puts a byte, or its escape, at `at`; answers where the next one goes. */
function put(at: number, byte: number): number {
  const letter = ESCAPES[byte] as number
  if (letter === 0) {
    lines[at] = byte
    return at + 1
  }
  if (letter === UNICODE) return putUnicode(at, byte)
  lines[at] = BACKSLASH
  lines[at + 1] = letter
  return at + 2
}

function putUnicode(at: number, byte: number): number {
  return at + lines.write(`\\u00${byte.toString(16).padStart(2, "0")}`, at, "latin1")
}

/** The parts with holes where their long texts are, which are added to `texts`. */
function withHoles(parts: readonly Part[], texts: string[]): readonly Part[] {
  const holed = parts.map((part) => withHole(part, texts))
  return texts.length === 0 ? parts : holed
}

function withHole(part: Part, texts: string[]): Part {
  const long = longText(part)
  if (long === undefined || !isLong(long)) return part
  texts.push(long)
  if (part.type === "tool-result") return { ...part, output: HOLE }
  return part.type === "image" || part.type === "file" ? { ...part, data: HOLE } : ({ ...part, text: HOLE } as Part)
}

function longText(part: Part): string | undefined {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text
    case "tool-result":
      return part.output
    case "image":
    case "file":
      return part.data
    case "tool-call":
    case "unknown":
      return undefined
    default:
      return unreachable(part)
  }
}

/** Half a character is escaped otherwise than its bytes: such a text is left to JSON.stringify. */
function isLong(long: string): boolean {
  return long.length >= SHORTEST && long.length <= LONGEST && isWellFormed(long)
}

/** Node 20 has it; the library of ES2023 does not know it yet. */
function isWellFormed(long: string): boolean {
  return (long as string & { isWellFormed(): boolean }).isWellFormed()
}
