// What Qwen Code's session file says of what its tools changed: `toolCallResult.resultDisplay` on the line of a result.
import type { SaidChange } from "../../history/files/said-calls.ts"
import type { JsonObject } from "../../model/json.ts"
import { plainText, type ToolCallPart } from "../../model/record/record.ts"
import type { SaidFiles } from "../port.ts"
import { isoTime, objectField, parseLine, textField } from "../shared/json-line.ts"
import { partsOf } from "./message.ts"

const EDITS: ReadonlySet<string> = new Set(["write_file", "edit", "notebook_edit"])

/** Undefined if the line says nothing of it. */
export function qwenSaid({ call, name, input }: ToolCallPart, bytes: Buffer): SaidFiles | undefined {
  if (!EDITS.has(name)) return undefined
  const line = parseLine(bytes)
  const result = objectField(line, "toolCallResult")
  if (line === undefined || textField(result, "callId") !== call) return undefined
  const at = isoTime(line.timestamp)
  const display = objectField(result, "resultDisplay")
  const path = textField(display, "filePath") ?? textField(input, "file_path")
  if (path === undefined || textField(result, "status") !== "success") return { at, files: [] }
  const change = display === undefined ? undefined : changeOf(display, outputOf(line))
  return { at, files: [{ path, ...(change !== undefined && { change }) }] }
}

/** Long texts are cut. An empty original is that of an empty file, or of none. */
function changeOf(display: JsonObject, output: string): SaidChange | undefined {
  const [before, after] = [textField(display, "originalContent"), textField(display, "newContent")]
  if (after === undefined || display.truncatedForSession === true) return undefined
  if (display.originalContent === null || (before === "" && CREATED.test(output))) {
    return { before: null, after, lineEnds: "lf-only" }
  }
  return before === undefined || before === "" ? undefined : { before, after, lineEnds: "lf-only" }
}

const CREATED = /^(?:Successfully created and wrote to new file|Created new file): /

function outputOf(line: JsonObject): string {
  return partsOf(line)
    .map((part) => (part.type === "tool-result" ? part.output : plainText([part])))
    .join("")
}
