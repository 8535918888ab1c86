// Two branches beside each other: where they part, and what was said, done and spent on each since.
import type { EntryId } from "../../model/id.ts"
import { type LogRecord, type MessageRecord, plainText, type Usage } from "../../model/record/record.ts"
import { commonAncestor, type History, isOnPath, NONE, path, type Row } from "../tree/tree.ts"

/** The end of a branch, in its session. */
export interface BranchEnd {
  history: History
  row: Row
}

/**
 * The deepest entry that both have, as a row of each; NONE: they begin apart in one session. Undefined: sessions that have no entry in
 * common, because neither is a copy of the other. Contract: costs the entries of `b` since then.
 */
export function partingOf(a: BranchEnd, b: BranchEnd): { a: Row; b: Row } | undefined {
  if (a.history === b.history) {
    const common = commonAncestor(a.history, a.row, b.row)
    return { a: common, b: common }
  }
  for (let row = b.row; row !== NONE; row = b.history.parent(row)) {
    const there = a.history.rowOf(b.history.id(row))
    if (there !== NONE && isOnPath(a.history, there, a.row)) return { a: there, b: row }
  }
  return undefined
}

export interface BranchFacts {
  /** Where it ends; null: the empty conversation. */
  tip: EntryId | null
  entries: number
  /** Whether it goes on in the round in which they part. */
  within: boolean
  messages: number
  /** The person's prompts, and the last of them, oldest first. */
  rounds: number
  prompts: { entry: EntryId; text: string }[]
  /** Answers of the model, and the tools that it called in them. */
  steps: number
  calls: number
  /** Tokens that the models read and wrote, as far as providers report them. */
  read: number
  written: number
  /** In dollars, of the models with a known price. */
  cost: number
  /** The models that `cost` leaves out. */
  unpriced: string[]
  /** Milliseconds from each prompt to the end of its round, together. */
  took: number
  /** The last thing that the agent said; null: nothing yet. */
  answer: { entry: EntryId; text: string } | null
}

/** Undefined: no price is known. */
export type CostOf = (usage: Usage, model: string | undefined) => number | undefined

const MOST_PROMPTS = 50
const LONGEST_PROMPT = 2_000
const LONGEST_ANSWER = 20_000

/** Of the entries after `since`. Contract: reads each body once, and pauses after each, so that other work gets its turn. */
export function* branchFacts(
  { history, row: tip }: BranchEnd,
  since: Row,
  costOf: CostOf,
): Generator<void, BranchFacts> {
  const rows = path(history, tip, since)
  const facts: BranchFacts = {
    tip: tip === NONE ? null : (history.id(tip) as EntryId),
    entries: rows.length,
    within: false,
    messages: 0,
    rounds: 0,
    prompts: [],
    steps: 0,
    calls: 0,
    read: 0,
    written: 0,
    cost: 0,
    unpriced: [],
    took: 0,
    answer: null,
  }
  const times = new Map<Row, { first: number; last: number }>()
  for (const row of rows) {
    yield
    const record = history.record(row)
    if (history.isPrompt(row)) facts.rounds++
    if (record === undefined) continue
    spend(facts, record, costOf)
    const prompt = history.prompt(row)
    const at = Date.parse(record.at)
    const known = times.get(prompt)
    if (known === undefined) times.set(prompt, { first: at, last: at })
    else if (at > known.last) known.last = at
    if (record.type === "message") say(facts, record, history.isPrompt(row))
  }
  facts.within = since !== NONE && history.prompt(since) !== NONE && times.has(history.prompt(since))
  for (const { first, last } of times.values()) if (last > first) facts.took += last - first
  return facts
}

function say(facts: BranchFacts, record: MessageRecord, isPrompt: boolean): void {
  const entry = record.id
  facts.messages++
  if (isPrompt) {
    facts.prompts.push({ entry, text: (record.display ?? plainText(record.content)).slice(0, LONGEST_PROMPT) })
    if (facts.prompts.length > MOST_PROMPTS) facts.prompts.shift()
  }
  if (record.role !== "assistant") return
  facts.steps++
  facts.calls += record.content.filter(({ type }) => type === "tool-call").length
  const text = plainText(record.content)
  if (text.trim() !== "") facts.answer = { entry, text: text.slice(0, LONGEST_ANSWER) }
}

function spend(facts: BranchFacts, record: LogRecord, costOf: CostOf): void {
  const isSpent = record.type === "message" || record.type === "compaction"
  if (!isSpent || record.usage === undefined) return
  const { usage, model } = record
  facts.read += (usage.input ?? 0) + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
  facts.written += usage.output ?? 0
  const cost = costOf(usage, model)
  facts.cost += cost ?? 0
  const name = model ?? "a model"
  if (cost === undefined && !facts.unpriced.includes(name)) facts.unpriced.push(name)
}
