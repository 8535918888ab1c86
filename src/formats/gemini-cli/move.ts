// The line to append so that Gemini CLI continues from an entry: its own rewind to before a prompt or, failing that, a
// list of all messages up to that entry, which replaces the present one.
import { isOnPath, NONE, path, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { parseLine, textField } from "../shared/json-line.ts"
import { moveMark } from "../shared/own-move.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import { answeredBy, authorOf, isLeftOut, isSessionContext } from "./message.ts"

export interface GeminiSession {
  name: string
  /** It is a sub-agent's session. */
  task: boolean
  /** It is one JSON document, as older versions wrote it. */
  document: boolean
}

export function geminiMove(request: MoveAsked, { task, document }: GeminiSession): AppendedMove {
  const { history, to, operation } = request
  if (task) return SUB_AGENT
  if (document) return DOCUMENT
  const compaction = to === NONE ? NONE : history.compaction(to)
  const rows = path(history, to, compaction === NONE ? NONE : history.parent(compaction))
  const listed = listOf(rows, request)
  if (listed === undefined) return WITHIN
  if (!listed.some(isResumable)) return EMPTY
  const print = (line: JsonObject) => JSON.stringify({ ...line, retcon: moveMark(request) })
  const prompt = promptBehind(request, listed)
  const set = { messages: listed, lastUpdated: operation.at }
  const line = prompt === undefined ? { $set: set } : { $rewindTo: prompt }
  return { ok: true, source: 0, lines: [print(line)], lands: to }
}

/** Messages as Gemini CLI lists them. Undefined if an answer has results that come after the last row. */
function listOf(rows: readonly Row[], { history, read }: MoveAsked): JsonObject[] | undefined {
  const list: JsonObject[] = []
  const ids = new Set<string>()
  let open = new Set<string>()
  for (const row of rows) {
    const message = parseLine(read(row)) ?? {}
    if (ROLES[history.role(row)] === "tool" && history.kind(row) === KIND.message) {
      const calls = answeredBy(message)
      const held = calls.every((call) => open.delete(call)) && calls.length > 0
      if (held) continue
    }
    if (message.type === "gemini") open = new Set(answeredBy(message))
    const id = uniqueId(textField(message, "id") ?? "", ids)
    ids.add(id)
    list.push({ ...message, id })
  }
  return open.size > 0 ? undefined : list
}

/** If two messages have the same id, Gemini CLI replaces the first by the second. */
function uniqueId(id: string, ids: ReadonlySet<string>): string {
  if (!ids.has(id)) return id
  let unique = `${id}_response`
  for (let number = 2; ids.has(unique); number++) unique = `${id}_${number}`
  return unique
}

/** Whether Gemini CLI lists a session with this message. */
function isResumable(message: JsonObject): boolean {
  return authorOf(message) !== undefined && !isSessionContext(message) && !isLeftOut(message)
}

/**
 * The id of the prompt, on the way to the head, before which a rewind cuts the list. A rewind to a message that is not in the list
 * empties it, so there is none for one that a resume has left out; and to one that is there twice, it cuts at the first.
 */
function promptBehind({ history, to, read }: MoveAsked, listed: readonly JsonObject[]): string | undefined {
  const { head } = history
  if (to === NONE || to === head || !isOnPath(history, to, head)) return undefined
  if (history.compaction(to) !== history.compaction(head)) return undefined
  const [next] = path(history, head, to)
  if (next === undefined || !history.isPrompt(next)) return undefined
  const prompt = parseLine(read(next)) ?? {}
  const twice = listed.some(({ id }) => id === prompt.id)
  return twice || isLeftOut(prompt) ? undefined : textField(prompt, "id")
}

const SUB_AGENT: AppendedMove = {
  ok: false,
  problem: "This is a sub-agent's work, which Gemini CLI does not resume.",
  advice: SPLIT_ADVICE,
}

const DOCUMENT: AppendedMove = {
  ok: false,
  problem: "An older Gemini CLI wrote this session, in a file that cannot be appended to.",
  advice: [
    "Resume it in Gemini CLI once, and it writes a new file. Or start a new session from there with: ",
    { do: "split" },
  ],
}

const EMPTY: AppendedMove = {
  ok: false,
  problem:
    "Before the first prompt there is nothing that Gemini CLI could resume: it does not list a session without messages.",
  advice: "Start a new session in Gemini CLI, or go to a later point.",
}

const WITHIN: AppendedMove = {
  ok: false,
  problem: "Gemini CLI keeps a call and its result in one message, and cannot continue between them.",
  advice: "Choose the result, or the entry before the call.",
}
