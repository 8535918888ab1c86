// A tool call on one line: what was called, with what, and how much came back.
import { isObject, type Json } from "../../model/json.ts"
import type { Part } from "../../model/part.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import type { Style } from "./style.ts"

type ToolCall = Extract<Part, { type: "tool-call" }>
type ToolResult = Extract<Part, { type: "tool-result" }>

export function toolLine(call: ToolCall, result: ToolResult | undefined, width: number, style: Style): string {
  const name = sanitiseLine(call.name)
  const back = clip(resultWords(result), Math.floor(width / 2))
  const input = clip(inputWords(call.input), width - widthOf(name) - widthOf(back) - 8)
  const failed = result?.error === true
  return `  ▸ ${style.strong(name)}${input === "" ? "" : ` ${input}`} ${(failed ? style.bad : style.quiet)(`→ ${back}`)}`
}

/** A result whose call is not on the path. */
export function orphanLine(result: ToolResult, style: Style): string {
  return style.quiet(`  ▸ result of an unknown call → ${resultWords(result)}`)
}

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
