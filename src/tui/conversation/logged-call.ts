// What a call did, as far as the log shows: the diff of an edit, the output of the person's command.
import { isObject, type Json } from "../../model/json.ts"
import type { MovedFile } from "../../model/move/moved.ts"
import { type MessageRecord, plainText, type ToolResultPart } from "../../model/record/record.ts"
import { inputWords } from "../../model/record/tool-words.ts"
import { printHunks } from "../../model/text/hunks.ts"
import type { ToolCall, ToolEnd } from "./tool-block.ts"

export interface LoggedCall {
  call: ToolCall
  end: ToolEnd
}

/** What the snapshots around a call say about it. */
export interface CallChanges {
  changes: readonly MovedFile[]
  /** In milliseconds. */
  took: number
}

export function loggedCall(
  { name, input }: { name: string; input: Json },
  result: ToolResultPart | undefined,
  around?: CallChanges,
): LoggedCall {
  const title = inputWords(input)
  const failed = result === undefined || result.error === true
  const took = around === undefined ? {} : { took: around.took }
  const end = { output: result?.output ?? "no result", error: failed, files: around?.changes ?? [], ...took }
  const edit = end.error ? undefined : (editOf(input, end.output) ?? creationOf(input, end.output))
  if (edit === undefined) return { call: { name, title }, end }
  const files: MovedFile[] = title === "" ? [] : [{ path: title, change: edit.change }]
  return { call: { name, title, diff: edit.diff }, end: { ...end, files } }
}

interface LoggedEdit {
  diff: string
  change: string
}

/** Without the surrounding lines, which the log does not have. */
function editOf(input: Json, output: string): LoggedEdit | undefined {
  const [before, after] = [textIn(input, "old", "old_string"), textIn(input, "new", "new_string")]
  if (before === undefined || after === undefined) return undefined
  const line = Number(/\(line (\d+)\)\.$/.exec(output)?.[1] ?? 1)
  const hunks = printHunks(linesOf(before), linesOf(after))
  const diff = hunks.replaceAll(
    /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/gm,
    (_, a: string, aSize: string, b: string, bSize: string) =>
      `@@ -${Number(a) + line - 1},${aSize} +${Number(b) + line - 1},${bSize} @@`,
  )
  return { diff, change: "modified" }
}

/** The log does not have the old content of a file that was replaced. */
function creationOf(input: Json, output: string): LoggedEdit | undefined {
  const content = textIn(input, "content")
  if (content === undefined || !output.startsWith("Created ")) return undefined
  return { diff: printHunks([], linesOf(content)), change: "added" }
}

function textIn(input: Json, ...names: string[]): string | undefined {
  if (!isObject(input)) return undefined
  return names.map((name) => input[name]).find((value) => typeof value === "string")
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/)
}

const FAILED = /(?:^|\n)\((?:exit code \d+|ended by \w+|it could not be started: .*)\)$/

/** The person's own command, with its output; undefined if the log does not separate them. */
export function loggedShell({ display, content }: MessageRecord): LoggedCall | undefined {
  const command = display?.startsWith("!") === true ? display.slice(1) : undefined
  const text = plainText(content)
  const start = command === undefined ? -1 : text.indexOf(`\n$ ${command}\n`)
  if (command === undefined || start === -1) return undefined
  const output = text.slice(start + command.length + 4).replace(/^\n/, "")
  return { call: { name: "!", title: command }, end: { output, error: FAILED.test(output) } }
}
