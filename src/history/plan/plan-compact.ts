// What a compaction would replace and what it would keep. The caller makes the summary itself.
import type { Failure } from "../../model/failure/failure.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import { textTokens } from "../../model/tokens.ts"
import { contextRows } from "../context/context.ts"
import { personWords } from "../tree/person-words.ts"
import { type History, isOnPath, NONE, type Row } from "../tree/tree.ts"
import { promptBack } from "./plan-back.ts"

export interface CompactionLimits {
  /** The size of a text in tokens. */
  tokens(text: string): number
  /** At most this many rounds are kept verbatim at the end. */
  keepRounds: number
  keepTokens: number
  /** Limit for what the person said before the kept tail; the newest comes first. */
  promptTokens: number
  /** Limit for the prompt being worked on, which is always kept. */
  taskTokens: number
  /** Shortens a text to about this many tokens. `entry`: where the full text is. */
  shorten(text: string, tokens: number, entry: Row): string
  /** Also replace what an earlier compaction kept, even if nothing came after it. */
  again?: boolean
}

export interface CompactionPlan {
  head: Row
  /** Entries that the summary replaces, including an earlier compaction and the tail it kept. */
  replaced: Row[]
  /** First row of the kept tail, or NONE. */
  keepFrom: Row
  /** What the person said in the replaced entries, oldest first, as far as the limits allow. */
  prompts: string[]
}

export const COMPACTION_LIMITS: CompactionLimits = {
  tokens: textTokens,
  keepRounds: 2,
  keepTokens: 20_000,
  promptTokens: 5_000,
  taskTokens: Number.POSITIVE_INFINITY,
  shorten: (text, tokens) => `${text.slice(0, tokens * 4)}\n[The rest is left out: ${text.length} characters in all.]`,
}

export function planCompaction(
  history: History,
  head: Row,
  limits: CompactionLimits = COMPACTION_LIMITS,
): { ok: true; plan: CompactionPlan } | { ok: false; failure: Failure } {
  const { compaction, kept, rest } = contextRows(history, head)
  const keepFrom = tailStart(history, head, rest, limits)
  const since = keepFrom === NONE ? rest : rest.slice(0, rest.indexOf(keepFrom))
  const replaced = compaction === NONE ? since : [compaction, ...kept, ...since]
  const isMessage = (row: Row) => history.kind(row) === KIND.message
  if (!(limits.again === true ? replaced : since).some(isMessage)) {
    return { ok: false, failure: { code: "nothing-to-compact" } }
  }
  return { ok: true, plan: { head, replaced, keepFrom, prompts: keptWords(history, head, keepFrom, limits) } }
}

/**
 * The tail starts at the prompt of the last rounds if they fit, otherwise at a message on which no tool result depends.
 */
function tailStart(history: History, head: Row, rest: Row[], limits: CompactionLimits): Row {
  if (limits.keepRounds < 1) return NONE
  const earliest = promptBack(history, head, limits.keepRounds)
  const from = Math.max(0, rest.indexOf(earliest === NONE ? history.prompt(head) : earliest))
  let start = NONE
  let tokens = 0
  for (let i = rest.length - 1; i >= from; i--) {
    const row = rest[i] as Row
    tokens += limits.tokens(bodyText(history, row))
    if (tokens > limits.keepTokens) break
    if (isCut(history, row)) start = row
  }
  return start
}

/** A tail may begin with a user or assistant message; a result at its beginning would be separated from its call. */
function isCut(history: History, row: Row): boolean {
  if (history.kind(row) !== KIND.message) return false
  const role = ROLES[history.role(row)]
  return role === "user" || role === "assistant"
}

function bodyText(history: History, row: Row): string {
  const record = history.record(row)
  return record?.type === "message" ? JSON.stringify(record.content) : ""
}

/** With fewer tokens, a shortened text is not worth keeping. */
const LEAST_OF_PROMPT = 50

/** The prompt being worked on has its own limit. Of the others, the first that does not fit is shortened. */
function keptWords(history: History, head: Row, keepFrom: Row, limits: CompactionLimits): string[] {
  const end = keepFrom === NONE ? head : history.parent(keepFrom)
  const task = history.prompt(head)
  let wanted = task !== NONE && end !== NONE && isOnPath(history, task, end)
  let left = limits.promptTokens
  const kept: string[] = []
  for (const { row, text } of personWords(history, end)) {
    if (left <= 0 && !wanted) break
    const tokens = limits.tokens(text)
    if (row === task) {
      wanted = false
      kept.push(tokens <= limits.taskTokens ? text : limits.shorten(text, limits.taskTokens, row))
    } else if (tokens <= left) {
      left -= tokens
      kept.push(text)
    } else {
      if (left >= LEAST_OF_PROMPT) kept.push(limits.shorten(text, left, row))
      left = 0
    }
  }
  return kept.reverse()
}
