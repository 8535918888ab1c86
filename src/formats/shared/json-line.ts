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

/** An ISO time from milliseconds or from a time in text; 1970 when it is neither. */
export function isoTime(time: Json | undefined): string {
  const ms = millis(time)
  return new Date(Math.abs(ms) <= 8.64e15 ? ms : 0).toISOString()
}

/** The whole lines in a piece of a file that are JSON objects, in order. A first line that is cut off is none. */
export function linesIn(piece: Buffer): JsonObject[] {
  const found: JsonObject[] = []
  for (const line of piece.toString("utf8").split("\n")) {
    const parsed = line.startsWith("{") ? parseJson(line) : undefined
    if (parsed?.ok === true && isObject(parsed.value)) found.push(parsed.value)
  }
  return found
}
