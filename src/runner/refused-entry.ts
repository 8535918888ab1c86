// Which entry a provider means when it refuses a request. What it answered before it had accepted: so it is about
// something that came after its last answer.

import { hasMedia } from "../history/context/left-out.ts"
import { path } from "../history/tree/path.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/advice.ts"
import { shortId } from "../model/id.ts"
import type { MessageRecord } from "../model/record/record.ts"
import type { ModelProblem } from "../provider/port/port.ts"

const ABOUT_MEDIA = /image|media|picture|base64|pdf|document/i

/** Words and advice for a request that was refused as it is; undefined when no entry can be named. */
export function refusedEntry(
  history: History,
  head: Row,
  model: string,
  problem: ModelProblem,
): { message: string; advice: Advice } | undefined {
  const records = path(history, head, history.compaction(head)).flatMap((row) => {
    const record = history.record(row)
    return record?.type === "message" ? [record] : []
  })
  const accepted = records.findLastIndex((record) => record.role === "assistant" && record.model === model)
  const suspects = records.slice(accepted + 1).filter(({ role }) => role === "user" || role === "tool")
  const shown = ABOUT_MEDIA.test(problem.message) ? suspects.findLast(({ content }) => hasMedia(content)) : undefined
  const entry = shown ?? suspects.at(-1)
  if (entry === undefined) return undefined
  const id = shortId(entry.id)
  return {
    message: `${problem.message} It refuses ${nameOf(entry)} (entry ${id}), so the same conversation would be refused again.`,
    advice: [
      "Continue without it: ",
      { do: "omit", entry: id },
      ". Or go back before it: ",
      { do: "back" },
      ". Or choose another model: ",
      { do: "model" },
    ],
  }
}

function nameOf({ role, content }: MessageRecord): string {
  const what = hasMedia(content) ? "the image or file in " : ""
  if (role === "user") return `${what}your message`
  const names = content.flatMap((part) => (part.type === "tool-result" && part.name !== undefined ? [part.name] : []))
  return `${what}the result of ${[...new Set(names)].join(", ") || "a tool"}`
}
