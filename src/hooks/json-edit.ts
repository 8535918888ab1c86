// Adds and removes parts of JSON text, in the text's own style. Everything else stays the same, byte for byte.
import type { Json } from "../model/json.ts"
import type { JsonNode } from "./json-text.ts"

type Container = Exclude<JsonNode, { kind: "value" }>

/** Adds a part after the last one. `key`: for an object. */
export function appendPart(text: string, into: Container, value: Json, key?: string): string {
  const last = into.parts.at(-1)
  const start = key === undefined ? "" : `${JSON.stringify(key)}: `
  if (last === undefined) return fill(text, into, value, start)
  const lead = text.slice(text.lastIndexOf("\n", last.start) + 1, last.start)
  const alone = /^[ \t]*$/.test(lead) && last.start > into.start && text.slice(into.start, last.start).includes("\n")
  const added = alone
    ? `,${endOfLine(text)}${lead}${start}${printed(text, value, lead)}`
    : `, ${start}${JSON.stringify(value)}`
  return text.slice(0, last.end) + added + text.slice(last.end)
}

/** Adds the first part of an empty container, on a separate line. */
function fill(text: string, into: Container, value: Json, start: string): string {
  const outer = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", into.start) + 1))?.[0] ?? ""
  const inner = outer + unit(text)
  const line = endOfLine(text)
  const within = text.slice(into.start + 1, into.end - 1)
  const rest = within.trim() === "" ? line + outer : within
  const added = `${line}${inner}${start}${printed(text, value, inner)}${rest}`
  return text.slice(0, into.start + 1) + added + text.slice(into.end - 1)
}

/** Removes a part and its comma. */
export function removePart(text: string, from: Container, index: number): string {
  const [part, before, after] = [from.parts[index], from.parts[index - 1], from.parts[index + 1]]
  if (part === undefined) return text
  if (before !== undefined) return text.slice(0, before.end) + text.slice(part.end)
  if (after !== undefined) return text.slice(0, part.start) + text.slice(after.start)
  return text.slice(0, from.start + 1) + text.slice(from.end - 1)
}

export function replaceValue(text: string, node: JsonNode, value: Json): string {
  return text.slice(0, node.start) + JSON.stringify(value) + text.slice(node.end)
}

function printed(text: string, value: Json, indent: string): string {
  return JSON.stringify(value, undefined, unit(text)).replaceAll("\n", endOfLine(text) + indent)
}

function endOfLine(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n"
}

/** The text's indentation. */
function unit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  "
}
