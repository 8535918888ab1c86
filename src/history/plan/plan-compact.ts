// What a compaction would replace and what it keeps. The caller makes the summary itself.
import type { Failure } from "../../model/failure/failure.ts"
import { KIND } from "../../model/record/kind.ts"
import { ROLES } from "../../model/record/origin.ts"
import { textTokens } from "../../model/tokens.ts"
import { contextRows } from "../context/context.ts"
import { isOnPath } from "../tree/path.ts"
import { personWords } from "../tree/person-words.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"
import { promptBack } from "./plan-back.ts"

export interface CompactionLimits {
  /** How large a text is, in tokens. */
  tokens(text: string): number
  /** Rounds kept verbatim at the end, at most. */
  keepRounds: number
  keepTokens: number
  /** For what the person said before the kept tail, newest first. */
  promptTokens: number
  /** For the prompt that is being worked on, in any case. */
  taskTokens: number
  /** A text that is too long, in about this many tokens. `entry`: where the whole of it is. */
  shorten(text: string, tokens: number, entry: Row): string
  /** Also replace what an earlier compaction has kept, even if nothing came after it. */
  again?: boolean
}

export interface CompactionPlan {
  head: Row
  /** Entries that the summary replaces: also the compaction before it, and the tail that one kept. */
  replaced: Row[]
  /** First row of the kept tail, or NONE. */
  keepFrom: Row
  /** What the person said in what is replaced, oldest first, as far as the limits allow. */
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

/** The tail starts at the prompt of the last rounds if they fit, else at a message that no tool result depends on. */
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

/** A tail may begin with a user or assistant message; beginning with a result would separate it from its call. */
function isCut(history: History, row: Row): boolean {
  if (history.kind(row) !== KIND.message) return false
  const role = ROLES[history.role(row)]
  return role === "user" || role === "assistant"
}

function bodyText(history: History, row: Row): string {
  const record = history.record(row)
  return record?.type === "message" ? JSON.stringify(record.content) : ""
}

/** Too few tokens to be worth a shortened text. */
const LEAST_OF_PROMPT = 50

/** The prompt that is worked on has room of its own. Of the others, the first that does not fit is shortened to what is left. */
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
