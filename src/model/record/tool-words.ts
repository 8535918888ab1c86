// A tool call in words: what it was about, and how much came back. Safe to print, on one line.
import { isObject, type Json } from "../json.ts"
import { bytes, count } from "../text/amounts.ts"
import { sanitiseLine } from "../text/sanitise.ts"
import type { Part } from "./part.ts"

type ToolResult = Extract<Part, { type: "tool-result" }>

/** What is done to a text of a session before it is shown: nothing, or secrets are taken out. */
export type ShowText = (text: string) => string

const unchanged: ShowText = (text) => text

/** Contract: only what is shown is given to `show`, and all of it before it is cut. */
export function resultWords(result: ToolResult | undefined, show = unchanged): string {
  if (result === undefined) return "no result"
  const { output } = result
  if (result.error === true) return `failed: ${sanitiseLine(show(output).slice(0, 500))}`
  const media = result.media === undefined ? "" : `, ${count(result.media.length, "attachment")}`
  if (output === "") return `nothing${media}`
  const lines = output.replace(/\n$/, "").split("\n").length
  if (lines === 1 && sanitiseLine(output).length <= 40) return `${sanitiseLine(show(output))}${media}`
  return `${count(lines, "line")}, ${bytes(new TextEncoder().encode(output).length)}${media}`
}

/** What says most about a call, by the names that tools use. */
const TELLING = ["command", "path", "file_path", "filePath", "pattern", "query", "url", "text", "prompt", "description"]

/** The one value that says what a call was about, otherwise all of its input. */
export function inputWords(input: Json, show = unchanged): string {
  if (!isObject(input)) return input === null ? "" : sanitiseLine(JSON.stringify(shown(input, show)))
  for (const key of TELLING) {
    const value = input[key]
    if (typeof value === "string" && value !== "") return sanitiseLine(show(value))
  }
  const all = sanitiseLine(JSON.stringify(shown(input, show)))
  return all === "{}" ? "" : all
}

/** The same with every text in it shown, names too. */
function shown(value: Json, show: ShowText): Json {
  if (typeof value === "string") return show(value)
  if (Array.isArray(value)) return value.map((each) => shown(each, show))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [show(name), shown(each, show)]))
}
