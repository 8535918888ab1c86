// Reads a line of an agent's file as a JSON object, and fields of objects that may contain anything.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"

/** Undefined if it is not a JSON object. */
export function parseLine(bytes: Buffer, start = 0, end = bytes.length): JsonObject | undefined {
  const parsed = parseJson(bytes.toString("utf8", start, end))
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined
}

/** A field of an object as a string; undefined if it is not a string. */
export function textField(value: Json | undefined, field: string): string | undefined {
  const found = isObject(value) ? value[field] : undefined
  return typeof found === "string" ? found : undefined
}

export function objectField(value: Json | undefined, field: string): JsonObject | undefined {
  const found = isObject(value) ? value[field] : undefined
  return isObject(found) ? found : undefined
}

export function numberField(value: Json | undefined, field: string): number | undefined {
  const found = isObject(value) ? value[field] : undefined
  return typeof found === "number" && Number.isFinite(found) ? found : undefined
}

/** Empty if there is no list. */
export function listField(value: Json | undefined, field: string): Json[] {
  const found = isObject(value) ? value[field] : undefined
  return Array.isArray(found) ? found : []
}

/** Milliseconds of an ISO time; 0 if it is not one. */
export function millis(time: Json | undefined): number {
  const ms = typeof time === "string" ? Date.parse(time) : typeof time === "number" ? time : Number.NaN
  return Number.isFinite(ms) ? ms : 0
}

const ISO = /^[12]\d{3}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** An ISO time from milliseconds or from a time as text; 1970 if it is neither. */
export function isoTime(time: Json | undefined): string {
  if (typeof time === "string" && ISO.test(time)) return time
  const ms = millis(time)
  return new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString()
}

/**
 * The complete lines in a piece of a file that are JSON objects, in order, each parsed on demand. A first or last line
 * that is cut off is left out. `holding`: only lines with one of these texts, which is much faster than parsing all.
 */
export function* eachLine(piece: Buffer, holding?: readonly string[]): Generator<JsonObject> {
  const next = holding === undefined ? undefined : nextHolding(piece, holding)
  for (let start = 0, end = 0; start < piece.length; start = end + 1) {
    const at = next === undefined ? start : next(start)
    if (at === -1) return
    if (at > start) start = piece.lastIndexOf(NEWLINE, at) + 1
    end = piece.indexOf(NEWLINE, at)
    if (end === -1) end = piece.length
    const line = isWhole(piece, start, end) ? parseLine(piece, start, end) : undefined
    if (line !== undefined) yield line
  }
}

/** The offset of the next of these texts, or -1. Contract: called with ascending offsets. */
function nextHolding(piece: Buffer, texts: readonly string[]): (from: number) => number {
  const places = texts.map((text) => piece.indexOf(text))
  return (from) => {
    let first = -1
    for (const [n, text] of texts.entries()) {
      const known = places[n] as number
      const at = known === -1 || known >= from ? known : piece.indexOf(text, from)
      places[n] = at
      if (at !== -1 && (first === -1 || at < first)) first = at
    }
    return first
  }
}

const [NEWLINE, SPACE, OPENING, CLOSING] = [10, 32, 123, 125]

/** Judged by its braces: finding out by parsing that a line is cut off would take longer than everything else. */
function isWhole(piece: Buffer, start: number, end: number): boolean {
  let last = end - 1
  while (last > start && (piece[last] as number) <= SPACE) last--
  return piece[start] === OPENING && piece[last] === CLOSING
}

export function linesIn(piece: Buffer, holding?: readonly string[]): JsonObject[] {
  return [...eachLine(piece, holding)]
}

export function firstLine(piece: Buffer): JsonObject | undefined {
  return eachLine(piece).next().value ?? undefined
}

/** The first defined result of `tell` over the lines. Later lines are not parsed. */
export function firstTold<Value>(
  lines: Iterable<JsonObject>,
  tell: (line: JsonObject) => Value | undefined,
): Value | undefined {
  for (const line of lines) {
    const told = tell(line)
    if (told !== undefined) return told
  }
  return undefined
}

/** The last ISO time that a line of the piece has as its `timestamp`. */
export function lastTimestamp(piece: Buffer): string | undefined {
  const at = piece.lastIndexOf('"timestamp":"')
  const text = at === -1 ? "" : piece.toString("latin1", at + 13, at + 37)
  return ISO.test(text) ? text : undefined
}
