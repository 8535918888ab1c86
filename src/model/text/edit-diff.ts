// What an edit or write call would change, as a unified diff. Agents use different names for the same fields.
import { isObject, type Json } from "../json.ts"
import { printHunks } from "./hunks.ts"

const OLD = ["old", "old_string", "oldText", "oldString", "old_str"]
const NEW = ["new", "new_string", "newText", "newString", "new_str"]
const PATH = ["path", "file_path", "filePath"]
const MOST = 200_000

export function editDiff(input: Json): string | undefined {
  if (!isObject(input)) return undefined
  const edits = Array.isArray(input.edits) ? input.edits : [input]
  const hunks = edits.map(hunksOf)
  if (hunks.some((each) => each === undefined)) return writtenDiff(input)
  const path = textIn(input, PATH)
  return (path === undefined ? "" : `--- a/${path}\n+++ b/${path}\n`) + hunks.join("")
}

function hunksOf(edit: Json): string | undefined {
  const [before, after] = [textIn(edit, OLD), textIn(edit, NEW)]
  if (before === undefined || after === undefined || before.length + after.length > MOST) return undefined
  return printHunks(linesOf(before), linesOf(after))
}

function writtenDiff(input: Json): string | undefined {
  const [path, content] = [textIn(input, PATH), textIn(input, ["content"])]
  if (path === undefined || content === undefined || content.length > MOST) return undefined
  return `--- /dev/null\n+++ b/${path}\n${printHunks([], linesOf(content))}`
}

function textIn(value: Json, names: readonly string[]): string | undefined {
  if (!isObject(value)) return undefined
  return names.map((name) => value[name]).find((each) => typeof each === "string")
}

/** Lines with their ends. In a fragment, a missing last newline means nothing. */
export function linesOf(text: string): string[] {
  return text === "" ? [] : `${text.replace(/\n$/, "")}\n`.split(/(?<=\n)/)
}
