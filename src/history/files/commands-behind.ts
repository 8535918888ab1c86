// Which command ran while a file changed: someone who is asked whose change it was will want to know.
import { inputWords } from "../../model/record/tool-words.ts"
import type { History, Row } from "../tree/tree.ts"
import { type CallSpan, callSpans } from "./call-spans.ts"

/** By path, the last command since a row that changed it, or that ran while it changed. Costs what follows that row. */
export function commandsBehind(history: History, since: Row): Map<string, string> {
  const found = new Map<string, string>()
  for (const span of callSpans(history, since)) {
    const paths = span.changes.filter(({ during }) => during === "command").map(({ path }) => path)
    const command = paths.length === 0 ? "" : commandOf(history, span)
    if (command !== "") for (const path of paths) found.set(path, command)
  }
  return found
}

function commandOf(history: History, { entry, call }: CallSpan): string {
  const record = history.record(entry)
  if (record?.type !== "message") return ""
  const part = record.content.find((each) => each.type === "tool-call" && each.call === call)
  return part?.type === "tool-call" ? inputWords(part.input) : ""
}
