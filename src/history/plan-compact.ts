// What a compaction would replace and what it keeps. The summary itself comes from whoever asks for it.
import type { Failure } from "../model/failure.ts"
import { KIND } from "../model/kind.ts"
import { ROLES } from "../model/origin.ts"
import { plainText } from "../model/part.ts"
import { contextRows } from "./context.ts"
import { prompts } from "./path.ts"
import { promptBack } from "./plan-back.ts"
import { type History, NONE, type Row } from "./tree.ts"

export interface CompactionLimits {
  /** How large a text is, in tokens. */
  tokens(text: string): number
  /** Rounds kept word for word at the end, at most. */
  keepRounds: number
  keepTokens: number
  /** For the person's own prompts before the kept tail, newest first. */
  promptTokens: number
}

export interface CompactionPlan {
  head: Row
  /** Entries that the summary replaces: also the compaction before it, and the tail that one kept. */
  replaced: Row[]
  /** First row of the kept tail, or NONE. */
  keepFrom: Row
  /** The person's prompts among what is replaced, oldest first, as far as the limit allows. */
  prompts: string[]
}

export const COMPACTION_LIMITS: CompactionLimits = {
  tokens: (text) => Math.ceil(text.length / 4),
  keepRounds: 2,
  keepTokens: 20_000,
  promptTokens: 5_000,
}

export function planCompaction(
  history: History,
  head: Row,
  limits: CompactionLimits = COMPACTION_LIMITS,
): { ok: true; plan: CompactionPlan } | { ok: false; failure: Failure } {
  const { compaction, kept, rest } = contextRows(history, head)
  const keepFrom = tailStart(history, head, rest, limits)
  const since = keepFrom === NONE ? rest : rest.slice(0, rest.indexOf(keepFrom))
  if (!since.some((row) => history.kind(row) === KIND.message)) {
    return { ok: false, failure: { code: "nothing-to-compact" } }
  }
  const replaced = compaction === NONE ? since : [compaction, ...kept, ...since]
  const end = keepFrom === NONE ? head : history.parent(keepFrom)
  return { ok: true, plan: { head, replaced, keepFrom, prompts: keptPrompts(history, end, limits) } }
}

/** The tail starts at the prompt of the last rounds if they fit, else at a message that no tool result depends on. */
function tailStart(history: History, head: Row, rest: Row[], limits: CompactionLimits): Row {
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

/** A tail may begin with a user or assistant message; beginning with a result would part it from its call. */
function isCut(history: History, row: Row): boolean {
  if (history.kind(row) !== KIND.message) return false
  const role = ROLES[history.role(row)]
  return role === "user" || role === "assistant"
}

function bodyText(history: History, row: Row): string {
  const record = history.record(row)
  return record?.type === "message" ? JSON.stringify(record.content) : ""
}

function keptPrompts(history: History, head: Row, limits: CompactionLimits): string[] {
  const kept: string[] = []
  let tokens = 0
  for (const row of prompts(history, head).reverse()) {
    const record = history.record(row)
    if (record?.type !== "message") continue
    const text = plainText(record.content)
    tokens += limits.tokens(text)
    if (tokens > limits.promptTokens) break
    kept.push(text)
  }
  return kept.reverse()
}
