// For the list of sessions: the last prompt of one, and the answer to it.
import { lastAsked } from "../../history/tree/asked.ts"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { KIND, plainText } from "../../model/record/record.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import { openSession } from "../../session/session.ts"
import type { AppDeps } from "../port/app-deps.ts"

const MOST_PROMPT = 300
const MOST_ANSWER = 2_000

export async function previewSession(deps: AppDeps, { id }: SessionListing): Promise<string> {
  const session = await openSession(deps.store, id, deps.sessionOptions)
  try {
    const { history, headRow } = session
    const prompt = headRow === NONE ? NONE : history.prompt(headRow)
    const asked = textAt(history, lastAsked(history, headRow)).slice(0, MOST_PROMPT)
    const said = textAt(history, lastAnswer(history, headRow, prompt)).slice(0, MOST_ANSWER)
    return [asked === "" ? "" : `You: ${asked}`, said === "" ? "" : `Agent: ${said}`].filter(Boolean).join("\n\n")
  } finally {
    await session.close()
  }
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
