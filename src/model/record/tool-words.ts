// A tool call in words: what it was about, and how much came back. Safe to print, on one line.
import { isObject, type Json } from "../json.ts"
import { bytes, count } from "../text/amounts.ts"
import { sanitiseLine } from "../text/sanitise.ts"
import type { Part } from "./part.ts"

type ToolResult = Extract<Part, { type: "tool-result" }>

export function resultWords(result: ToolResult | undefined): string {
  if (result === undefined) return "no result"
  const { output } = result
  if (result.error === true) return `failed: ${sanitiseLine(output.slice(0, 500))}`
  const media = result.media === undefined ? "" : `, ${count(result.media.length, "attachment")}`
  if (output === "") return `nothing${media}`
  const lines = output.replace(/\n$/, "").split("\n").length
  const short = sanitiseLine(output)
  if (lines === 1 && short.length <= 40) return `${short}${media}`
  return `${count(lines, "line")}, ${bytes(Buffer.byteLength(output))}${media}`
}

/** What tells most about a call, by the names that tools use. */
const TELLING = ["command", "path", "file_path", "filePath", "pattern", "query", "url", "text", "prompt", "description"]

/** The one value that tells what a call was about, else all of its input. */
export function inputWords(input: Json): string {
  if (!isObject(input)) return input === null ? "" : sanitiseLine(JSON.stringify(input))
  for (const key of TELLING) {
    const value = input[key]
    if (typeof value === "string" && value !== "") return sanitiseLine(value)
  }
  const all = sanitiseLine(JSON.stringify(input))
  return all === "{}" ? "" : all
}
