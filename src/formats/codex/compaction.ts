// What Codex's history was replaced with: by a compaction, or by a rollback that leaves a part of what one had replaced.
import { NONE, path, type Row } from "../../history/tree/tree.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import { ROLES, type Role } from "../../model/record/origin.ts"
import { type CompactionRecord, KIND, type Part, plainText } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { withError } from "../shared/retcon-mark.ts"
import { countingOf, withoutLast } from "./counted.ts"
import { partsOf } from "./item.ts"
import { originOf } from "./origin.ts"

type KeptMessage = { role: Role; content: Part[] }

export function compactionOf(
  row: Row,
  line: JsonObject,
  reading: Reading,
): Omit<CompactionRecord, "id" | "at" | "parent"> {
  const as = together(itemsAfter(row, reading).flatMap(messagesIn))
  const summary = textField(objectField(line, "payload"), "message") ?? plainText(as.at(-1)?.content ?? [])
  return { type: "compaction", summary, prompts: [], keepFrom: null, cause: "threshold", as }
}

/** The items of the model's history that Codex has at a row. */
export function itemsAt(row: Row, reading: Reading, depth = 0): JsonObject[] {
  const { history } = reading
  const compaction = row === NONE ? NONE : history.compaction(row)
  const before = compaction === NONE ? [] : itemsAfter(compaction, reading, depth)
  return [...before, ...itemsOn(path(history, row, compaction), reading)]
}

/** Whether the file says all of that. Older versions did not record what they compacted the earlier history to. */
export function isRecorded(row: Row, reading: Reading): boolean {
  const { history } = reading
  for (let at = row; at !== NONE; ) {
    const compaction = history.compaction(at)
    if (compaction === NONE) return true
    const line = parseLine(reading.original(compaction))
    if (line?.type === "compacted") return objectField(line, "payload")?.replacement_history !== undefined
    at = history.parent(compaction)
  }
  return true
}

/** The most consecutive rollbacks to follow; a hostile file may have any number. */
const MOST_ROLLBACKS = 64

function itemsAfter(row: Row, reading: Reading, depth = 0): JsonObject[] {
  const { history } = reading
  const turns = turnsOf(row, reading)
  if (turns === undefined) {
    const payload = objectField(parseLine(reading.original(row)), "payload")
    const recorded = payload?.replacement_history
    if (Array.isArray(recorded)) return recorded.flatMap((item) => (isObject(item) ? [item] : []))
    return [...lastPrompts(row, reading), userItem(textField(payload, "message") ?? "")]
  }
  return withoutLast(itemsAcross(history.headAfter(row - 1), history.parent(row), reading, depth + 1), turns)
}

/**
 * What a rollback whose result is on no path started from (see `replay.ts`): the items at `above` and those that the head had after
 * that, as if nothing had been compacted in between.
 */
function itemsAcross(head: Row, above: Row, reading: Reading, depth: number): JsonObject[] {
  if (depth >= MOST_ROLLBACKS) return []
  const { history } = reading
  const rows = path(history, head, above)
  const last = rows.findLastIndex((row) => turnsOf(row, reading) !== undefined)
  const made = rows[last]
  if (made === undefined) return [...itemsAt(above, reading, depth), ...itemsOn(rows, reading)]
  const before = itemsAcross(history.headAfter(made - 1), above, reading, depth + 1)
  return [...withoutLast(before, turnsOf(made, reading) ?? 0), ...itemsOn(rows.slice(last + 1), reading)]
}

/** How many turns a row rolled back, if it is such a result itself. */
function turnsOf(row: Row, { history, original }: Reading): number | undefined {
  if (history.kind(row) !== KIND.compaction) return undefined
  return numberField(objectField(parseLine(original(row)), "payload"), "num_turns")
}

function itemsOn(rows: readonly Row[], reading: Reading): JsonObject[] {
  return rows.map((row) => itemOf(row, reading)).filter((item) => item !== undefined)
}

function itemOf(row: Row, { original }: Reading): JsonObject | undefined {
  const line = parseLine(original(row))
  return line?.type === "response_item" ? objectField(line, "payload") : undefined
}

const NO_TURN = { started: false, task: false, asked: false }

function messagesIn(item: JsonObject): KeptMessage[] {
  const said = originOf(item, NO_TURN)
  const content = said === undefined ? [{ type: "unknown" as const, raw: item }] : withError(partsOf(item), item)
  return content.length === 0 ? [] : [{ role: said?.role ?? "user", content }]
}

/** Merges the pieces of an answer into one message, and the results of its calls into another. */
function together(all: readonly KeptMessage[]): KeptMessage[] {
  const found: KeptMessage[] = []
  for (const { role, content } of all) {
    const last = found.at(-1)
    if (last?.role === role && role !== "user") last.content.push(...content)
    else found.push({ role, content: [...content] })
  }
  return found
}

/** Older versions kept the last prompts, up to about 20,000 tokens, without recording it. */
const MOST_CHARACTERS = 80_000

function lastPrompts(row: Row, reading: Reading): JsonObject[] {
  const { history } = reading
  const found: JsonObject[] = []
  let left = MOST_CHARACTERS
  for (let at = history.parent(row); at !== NONE && left > 0; at = history.parent(at)) {
    if (history.kind(at) !== KIND.message || ROLES[history.role(at)] !== "user") continue
    const item = itemOf(at, reading)
    if (item === undefined || countingOf(item) !== "counts") continue
    left -= plainText(partsOf(item)).length
    found.push(item)
  }
  return found.reverse()
}

function userItem(text: string): JsonObject {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] }
}
