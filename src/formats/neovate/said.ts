// What Neovate Code's session file says of what its tools changed: `returnDisplay` of a result.
import type { SaidChange } from "../../history/files/said-calls.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import type { ToolCallPart } from "../../model/record/record.ts"
import type { SaidFiles } from "../port.ts"
import { listField, objectField, parseLine, textField } from "../shared/json-line.ts"

const EDITS: ReadonlySet<string> = new Set(["write", "edit"])

/** Undefined if the line says nothing of it. */
export function neovateSaid({ call, name, input }: ToolCallPart, bytes: Buffer): SaidFiles | undefined {
  if (!EDITS.has(name)) return undefined
  const part = listField(parseLine(bytes), "content").find(
    (each) => (textField(each, "toolCallId") ?? textField(each, "id")) === call,
  )
  const result = objectField(part, "result")
  if (result === undefined) return undefined
  const display = objectField(result, "returnDisplay")
  const path = textField(display, "absoluteFilePath") ?? textField(input, "file_path")
  if (result.isError === true || path === undefined) return { files: [] }
  const change = name === "write" ? written(display, input) : undefined
  return { files: [{ path, ...(change !== undefined && { change }) }] }
}

/** It tells the old text as it was, and ends the new one with a newline. An edit tells only a passage, which need not match exactly. */
function written(display: JsonObject | undefined, input: Json): SaidChange | undefined {
  const [before, content] = [textField(display, "originalContent"), textField(input, "content")]
  if (content === undefined) return undefined
  const after = content.endsWith("\n") ? content : `${content}\n`
  if (display?.writeType === "add") return { before: null, after, lineEnds: "exact" }
  return display?.writeType === "replace" && before !== undefined ? { before, after, lineEnds: "exact" } : undefined
}
