// A tool call in words: what it was about, and how much it returned. Safe to print, on one line.
import { isObject, type Json } from "../json.ts"
import { bytes, count } from "../text/amounts.ts"
import { sanitiseLine } from "../text/sanitise.ts"
import type { ToolResultPart } from "./record.ts"

/** Applied to a session's text before it is shown: leaves it alone, or removes secrets. */
export type ShowText = (text: string) => string

const unchanged: ShowText = (text) => text

/** Contract: `show` gets only text that will be shown, and gets all of it before it is cut. */
export function resultWords(result: ToolResultPart | undefined, show = unchanged): string {
  if (result === undefined) return "no result"
  const { output } = result
  if (result.error === true) return `failed: ${sanitiseLine(show(output).slice(0, 500))}`
  const media = result.media === undefined ? "" : `, ${count(result.media.length, "attachment")}`
  if (output === "") return `nothing${media}`
  const lines = output.replace(/\n$/, "").split("\n").length
  if (lines === 1 && sanitiseLine(output).length <= 40) return `${sanitiseLine(show(output))}${media}`
  return `${count(lines, "line")}, ${bytes(new TextEncoder().encode(output).length)}${media}`
}

/** The names that tools give to their most telling input, best first. */
const TELLING = ["path", "file_path", "filePath", "pattern", "query", "url", "text", "prompt", "message", "description"]
/** Shells that take a command as their last argument. */
const SHELLS = /^(?:.*\/)?(?:ba|z|da)?sh$/
/** How a patch names the files that it changes. */
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm

/** The one value that says what a call was about, or else all of its input. */
export function inputWords(input: Json, show = unchanged): string {
  if (typeof input === "string") return sanitiseLine(show(patchedFiles(input) ?? input))
  if (!isObject(input)) return input === null ? "" : sanitiseLine(JSON.stringify(shown(input, show)))
  const telling = [commandIn(input), ...TELLING.map((key) => input[key])]
  const found = telling.find((value) => typeof value === "string" && value !== "")
  if (typeof found === "string") return sanitiseLine(show(found))
  const all = sanitiseLine(JSON.stringify(shown(input, show)))
  return all === "{}" ? "" : all
}

/** All of a call's input, to be read by a person: the command, the text, or each value after its name. */
export function inputText(input: Json): string {
  const command = commandIn(input)
  if (command !== undefined) return `$ ${command}`
  if (!isObject(input)) return typeof input === "string" ? input : JSON.stringify(input, undefined, 2)
  return Object.entries(input)
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
      return text.includes("\n") ? `${name}:\n${text.replace(/^(?=.)/gm, "  ")}` : `${name}: ${text}`
    })
    .join("\n")
}

/** The command that a call runs, however its agent passes it; undefined if it runs none. */
export function commandIn(input: Json): string | undefined {
  if (!isObject(input)) return undefined
  const command = input.command ?? input.cmd
  if (typeof command === "string") return command
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return undefined
  const [program = "", option = "", script] = command
  const isScript = command.length === 3 && SHELLS.test(program) && option.startsWith("-") && option.endsWith("c")
  return isScript ? script : command.join(" ")
}

/** The files of a patch in the form that Codex uses; undefined if it is not one. */
function patchedFiles(text: string): string | undefined {
  const files = text.startsWith(PATCH) ? patchedPaths(text) : []
  return files.length === 0 ? undefined : files.join(", ")
}

const PATCH = "*** Begin Patch"

/** The files that a patch in the form that Codex uses would change; none if there is no such patch in the text. */
export function patchedPaths(text: string): string[] {
  return text.includes(PATCH) ? [...text.matchAll(PATCHED)].map(([, file]) => file ?? "") : []
}

/** A copy with `show` applied to every text in it, keys included. */
function shown(value: Json, show: ShowText): Json {
  if (typeof value === "string") return show(value)
  if (Array.isArray(value)) return value.map((each) => shown(each, show))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [show(name), shown(each, show)]))
}
