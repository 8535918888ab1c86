// For the list of sessions: the last prompt of one, and the answer to it.
import { lastAsked } from "../../history/tree/asked.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { KIND, plainText } from "../../model/record/record.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import { searchable } from "../../session/searchable.ts"
import { openSession } from "../../session/session.ts"
import type { AppDeps } from "../port/app-deps.ts"

const MOST_PROMPT = 300
const MOST_ANSWER = 2_000
const MOST_AROUND = 8_000

/** `entry`: instead of the end, the round around it. */
export async function previewSession(
  deps: AppDeps,
  { id }: Pick<SessionListing, "id">,
  entry?: EntryId,
): Promise<string> {
  const session = await openSession(deps.store, id, deps.sessionOptions)
  try {
    const { history, headRow } = session
    if (entry !== undefined) return aroundEntry(history, history.rowOf(entry))
    const prompt = headRow === NONE ? NONE : history.prompt(headRow)
    const asked = textAt(history, lastAsked(history, headRow)).slice(0, MOST_PROMPT)
    const said = textAt(history, lastAnswer(history, headRow, prompt)).slice(0, MOST_ANSWER)
    return [asked === "" ? "" : `You: ${asked}`, said === "" ? "" : `Agent: ${said}`].filter(Boolean).join("\n\n")
  } finally {
    await session.close()
  }
}

/** The prompt of the round, and what the entry says. */
function aroundEntry(history: History, row: Row): string {
  const record = row === NONE ? undefined : history.record(row)
  if (record === undefined) return ""
  const prompt = history.prompt(row)
  const asked = prompt === row || prompt === NONE ? "" : `You: ${textAt(history, prompt).slice(0, MOST_PROMPT)}`
  const said = [...searchable(record)].map(({ where, text }) => `${where === "you" ? "You" : where}: ${text}`)
  return [asked, ...said].filter(Boolean).join("\n\n").slice(0, MOST_AROUND)
}

/** The last entry after the prompt in which the agent says something. */
function lastAnswer(history: History, head: Row, prompt: Row): Row {
  for (let row = head; row !== NONE && row !== prompt; row = history.parent(row)) {
    if (history.kind(row) !== KIND.message) continue
    const record = history.record(row)
    if (record?.type === "message" && record.role === "assistant" && plainText(record.content).trim() !== "") return row
  }
  return NONE
}

function textAt(history: History, row: Row): string {
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "message" ? (record.display ?? plainText(record.content)).trim() : ""
}
