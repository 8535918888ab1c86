// Which entry a provider means when it refuses a request. It accepted everything up to its last answer, so the refusal
// is about something after that.
import { hasMedia, leftOutIn, leftOutRows } from "../history/context/left-out.ts"
import { path } from "../history/tree/path.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Advice } from "../model/failure/advice.ts"
import { type EntryId, shortId } from "../model/id.ts"
import type { MessageRecord } from "../model/record/record.ts"
import type { ModelProblem } from "../provider/port/port.ts"

const ABOUT_MEDIA = /image|media|picture|base64|pdf|document/i

/** The config key with the entry refused last: unanswered prompts are sent as one message. */
export const REFUSED_KEY = "refused"

/**
 * Message and advice for a request that was refused as it is; undefined if no entry can be named. `before`: the entry
 * that was named last time. If it would be sent again, it is the one.
 */
export function refusedEntry(
  history: History,
  head: Row,
  model: string,
  problem: ModelProblem,
  before?: unknown,
): { entry: EntryId; message: string; advice: Advice } | undefined {
  const records = path(history, head, history.compaction(head)).flatMap((row) => {
    const record = history.record(row)
    return record?.type === "message" ? [record] : []
  })
  const accepted = records.findLastIndex((record) => record.role === "assistant" && record.model === model)
  const leftOut = leftOutIn(history, leftOutRows(history, head, 0))
  const suspects = records
    .slice(accepted + 1)
    .filter(({ role, id }) => (role === "user" || role === "tool") && !leftOut.has(id))
  const shown = ABOUT_MEDIA.test(problem.message) ? suspects.filter(({ content }) => hasMedia(content)) : []
  const likely = shown.length > 0 ? shown : suspects
  const entry = likely.find(({ id }) => id === before) ?? likely.at(-1)
  if (entry === undefined) return undefined
  const id = shortId(entry.id)
  return {
    entry: entry.id,
    message: `${problem.message} It refuses ${nameOf(entry)} (entry ${id}) and would refuse the same conversation again.`,
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
