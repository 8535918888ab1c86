// One line of an agent's file as a JSON object, and the fields of objects that may hold anything.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"

/** Undefined when it is no JSON object. */
export function parseLine(bytes: Buffer, start = 0, end = bytes.length): JsonObject | undefined {
  const parsed = parseJson(bytes.toString("utf8", start, end))
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined
}

/** The field of an object as a text; undefined when it is none. */
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

/** An empty list when there is none. */
export function listField(value: Json | undefined, field: string): Json[] {
  const found = isObject(value) ? value[field] : undefined
  return Array.isArray(found) ? found : []
}

/** Milliseconds of an ISO time; 0 when it is none. */
export function millis(time: Json | undefined): number {
  const ms = typeof time === "string" ? Date.parse(time) : typeof time === "number" ? time : Number.NaN
  return Number.isFinite(ms) ? ms : 0
}

const ISO = /^[12]\d{3}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** An ISO time from milliseconds or from a time in text; 1970 when it is neither. */
export function isoTime(time: Json | undefined): string {
  if (typeof time === "string" && ISO.test(time)) return time
  const ms = millis(time)
  return new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString()
}

/**
 * The whole lines in a piece of a file that are JSON objects, in order, each parsed when it is asked for. The first and the
 * last, where they are cut off, are none. `holding`: only lines with one of these texts, which is much quicker than parsing all.
 */
export function* eachLine(piece: Buffer, holding?: readonly string[]): Generator<JsonObject> {
  if (holding?.every((text) => !piece.includes(text)) === true) return
  for (let start = 0, end = 0; start < piece.length; start = end + 1) {
    end = piece.indexOf(NEWLINE, start)
    if (end === -1) end = piece.length
    if (!isWhole(piece, start, end)) continue
    const line = piece.toString("utf8", start, end)
    if (holding?.every((text) => !line.includes(text)) === true) continue
    const parsed = parseJson(line)
    if (parsed.ok && isObject(parsed.value)) yield parsed.value
  }
}

const [NEWLINE, SPACE, OPENING, CLOSING] = [10, 32, 123, 125]

/** By its brackets: to find out by parsing that a line is cut off takes longer than all the rest. */
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

/** What the first line says of which `tell` says anything; the lines behind it are not looked at. */
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
