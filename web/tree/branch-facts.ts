// Compares two branches: how much was said since they parted, what it cost, and how long it took.
import { commonAncestor, type History, path, type Row } from "../../src/history/tree/tree.ts"
import type { LogRecord, MessageRecord } from "../../src/model/record/record.ts"
import { priceOf } from "../../src/provider/catalogue/models.ts"
import { costOf, sentTokens } from "../../src/provider/port/usage.ts"

export interface BranchFacts {
  rows: Row[]
  messages: number
  rounds: number
  /** Tokens that the models read and wrote, as far as providers report them. */
  read: number
  written: number
  /** In dollars, of the models with a known price. */
  cost: number
  /** The models that `cost` leaves out. */
  unpriced: string[]
  /** In milliseconds, from the first entry to the last. */
  took: number
}

export interface BranchComparison {
  common: Row
  left: Row[]
  right: Row[]
}

export function compareBranches(history: History, a: Row, b: Row): BranchComparison {
  const common = commonAncestor(history, a, b)
  return { common, left: path(history, a, common), right: path(history, b, common) }
}

/** `record`: undefined for rows whose bodies are not loaded. */
export function factsOf(history: History, rows: Row[], record: (row: Row) => LogRecord | undefined): BranchFacts {
  const facts: BranchFacts = { rows, messages: 0, rounds: 0, read: 0, written: 0, cost: 0, unpriced: [], took: 0 }
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const row of rows) {
    const found = record(row)
    if (history.isPrompt(row)) facts.rounds++
    if (found === undefined) continue
    const at = Date.parse(found.at)
    if (!Number.isNaN(at)) [first, last] = [Math.min(first, at), Math.max(last, at)]
    if (found.type !== "message") continue
    facts.messages++
    facts.read += sentTokens(found.usage ?? {})
    facts.written += found.usage?.output ?? 0
    const cost = costOfMessage(found)
    const { model = "a model" } = found
    facts.cost += cost ?? 0
    if (cost === undefined && !facts.unpriced.includes(model)) facts.unpriced.push(model)
  }
  facts.took = last > first ? last - first : 0
  return facts
}

function costOfMessage({ usage, model }: MessageRecord): number | undefined {
  if (usage === undefined) return 0
  const price = model === undefined ? undefined : priceOf(model)
  return price && costOf(usage, price)
}
