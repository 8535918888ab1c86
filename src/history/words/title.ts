// What a session is called.
import { entryText } from "../../model/record/entry-text.ts"
import { ORIGINS } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { ShowText } from "../../model/record/tool-words.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { config, entries, type History } from "../tree/tree.ts"

/** The title that a person or its agent gave it, otherwise its first prompt. On one line, safe to print. */
export function titleOf(history: History, show: ShowText = (text) => text): string {
  const given = config(history).get("title") ?? history.titleBeside
  const title = sanitiseLine(show(typeof given === "string" ? given : firstPrompt(history)))
  return title === "" ? "(no title)" : title
}

/** What the session began with: a prompt, or the task of a sub-agent. */
function firstPrompt(history: History): string {
  for (const row of entries(history)) {
    const isTask = history.kind(row) === KIND.message && ORIGINS[history.origin(row)] === "task"
    if (!history.isPrompt(row) && !isTask) continue
    const record = history.record(row)
    return (record && entryText(record)) ?? ""
  }
  return ""
}
