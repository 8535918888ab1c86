// About how many tokens a context has, without making it: a provider has counted most of it.
import { KIND } from "../model/kind.ts"
import type { LogRecord, Usage } from "../model/record.ts"
import { beginningAt, keptTail } from "./context.ts"
import { type History, NONE, type Row } from "./tree.ts"

/** Four characters are about a token. */
export function textTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** Messages without any count that are looked at: the others are taken to be as long on average. */
const MOST_LOOKED = 500

/** Contract: costs the entries since the last answer of the path that came with a count, and no more than so many. */
export function contextTokens(history: History, head: Row): number {
  const compaction = history.compaction(head)
  let uncounted = 0
  let looked = 0
  for (let row = head; row !== NONE && row !== compaction; row = history.parent(row)) {
    const kind = history.kind(row)
    if (kind !== KIND.message && kind !== KIND.note) continue
    const record = history.record(row)
    if (record?.type === "message" && record.role === "assistant" && record.usage !== undefined) {
      return counted(record.usage) + Math.ceil(uncounted / 4)
    }
    uncounted += characters(record)
    if (++looked === MOST_LOOKED) return Math.ceil((uncounted / looked / 4) * messagesSince(history, head, compaction))
  }
  return Math.ceil((uncounted + beginning(history, head)) / 4)
}

function messagesSince(history: History, head: Row, compaction: Row): number {
  return history.messages(head) - (compaction === NONE ? 0 : history.messages(compaction))
}

/** What was sent for the answer, and the answer. */
function counted({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

/** Of the system prompt, the summary and the tail that a compaction kept. */
function beginning(history: History, head: Row): number {
  const system = beginningAt(history, head)?.value
  const compaction = history.compaction(head)
  const summary = compaction === NONE ? undefined : history.record(compaction)
  const kept = compaction === NONE ? [] : keptTail(history, compaction)
  const rows = kept.reduce((sum, row) => sum + characters(history.record(row)), 0)
  return (typeof system === "string" ? system.length : 0) + characters(summary) + rows
}

function characters(record: LogRecord | undefined): number {
  if (record?.type === "message") return JSON.stringify(record.content).length
  if (record?.type === "note") return record.text.length + record.facts.join("").length
  if (record?.type === "compaction") return record.summary.length + record.prompts.join("").length
  return 0
}
