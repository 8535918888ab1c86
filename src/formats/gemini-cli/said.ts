// What Gemini CLI's session file says of what its tools changed: `resultDisplay` beside a call, on the line of its answer.
import { readFileSync, statSync } from "node:fs"
import type { SaidCall, SaidChange } from "../../history/files/said-calls.ts"
import type { Json } from "../../model/json.ts"
import { plainText, type ToolCallPart } from "../../model/record/record.ts"
import type { SaidFiles } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { eachLine, isoTime, listField, millis, objectField, parseLine, textField } from "../shared/json-line.ts"
import { resultsOf } from "./message.ts"

const EDITS: ReadonlySet<string> = new Set(["write_file", "replace"])

/** Undefined if the line says nothing of it: the results that follow an answer repeat only what the model gets. */
export function geminiSaid({ call, name }: ToolCallPart, bytes: Buffer): SaidFiles | undefined {
  if (!EDITS.has(name)) return undefined
  const own = listField(parseLine(bytes), "toolCalls").filter((each) => textField(each, "id") === call)
  return own.length === 1 ? callSaid(own[0] as Json) : undefined
}

/** The time is the call's own, because a resumed session repeats its answers. */
function callSaid(call: Json): SaidFiles {
  const at = isoTime(textField(call, "timestamp"))
  const display = objectField(call, "resultDisplay")
  const path = textField(display, "filePath") ?? textField(objectField(call, "args"), "file_path")
  const [status, isNew] = [textField(call, "status"), display?.isNewFile]
  // Of a call that the person declined, the display is what was proposed, which does not say whether there is such a file.
  const declined = status === "cancelled" && display !== undefined && isNew === undefined
  if (path === undefined || status === "error" || declined) return { at, files: [] }
  const change = textField(call, "name") === "replace" ? replaced(call) : written(call)
  return { at, files: [{ path, ...(change !== undefined && { change }) }] }
}

/** It tells the old text as it was. The new one gets CRLF if the old one has any. */
function written(call: Json): SaidChange | undefined {
  const display = objectField(call, "resultDisplay")
  const [before, after] = [textField(display, "originalContent"), textField(display, "newContent")]
  if (after === undefined) return undefined
  if (display?.isNewFile === true) return { before: null, after, lineEnds: "exact" }
  if (before === undefined || display?.isNewFile !== false) return undefined
  return { before, after: before.includes("\r\n") ? after.replace(/\r?\n/g, "\r\n") : after, lineEnds: "exact" }
}

const CREATED = /^Created new file: .* with provided content\. Here is the updated code:\n/

/** It tells both texts with LF. A file with any CRLF gets CRLF everywhere, so it does not show what it had before. */
function replaced(call: Json): SaidChange | undefined {
  const display = objectField(call, "resultDisplay")
  const [before, after] = [textField(display, "originalContent"), textField(display, "newContent")]
  if (display?.isNewFile === false && before !== undefined && after !== undefined)
    return { before, after, lineEnds: "lf-only" }
  // Of a file that it created, it shows a sentence, and tells the model the text, which the person may have changed.
  const [output, text] = [outputOf(call), textField(objectField(call, "args"), "new_string")]
  const begins = CREATED.exec(output)?.[0]
  const whole = begins !== undefined && text !== undefined && output === begins + text
  return whole ? { before: null, after: text, lineEnds: "exact" } : undefined
}

function outputOf(call: Json): string {
  const results = resultsOf({ type: "gemini", toolCalls: [call] })
  const outputs = results.map((part) => (part.type === "tool-result" ? part.output : plainText([part])))
  return outputs.join("")
}

/** The calls of sub-agents, from their own files, which are like the session's. */
export function geminiSaidBeside(folder: string, since: number): Omit<SaidCall, "row">[] {
  return filesIn(folder, ".jsonl").flatMap((file) => (statSync(file).mtimeMs < since ? [] : saidIn(file, since)))
}

function saidIn(file: string, since: number): Omit<SaidCall, "row">[] {
  const found = new Map<string, Omit<SaidCall, "row">>()
  for (const line of eachLine(readFileSync(file), ['"toolCalls"'])) {
    for (const call of listField(line, "toolCalls")) {
      const [id, name, ended] = ["id", "name", "timestamp"].map((field) => textField(call, field))
      if (id === undefined || !EDITS.has(name ?? "") || textField(call, "status") === undefined) continue
      if (millis(ended) >= since) found.set(id, { call: id, at: isoTime(ended), files: callSaid(call).files })
    }
  }
  return [...found.values()]
}
