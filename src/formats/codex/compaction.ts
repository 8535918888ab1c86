// Reads a compaction of Codex: what the history was replaced with.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import type { Role } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/part.ts"
import type { CompactionRecord } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { withError } from "../shared/retcon-mark.ts"
import { partsOf } from "./item.ts"
import { isAskedText, originOf } from "./origin.ts"
import { rolledBack } from "./rollback.ts"

type KeptMessage = { role: Role; content: Part[] }

export function compactionOf(
  row: Row,
  line: JsonObject,
  reading: Reading,
): Omit<CompactionRecord, "id" | "at" | "parent"> {
  const as = line.type === "compacted" ? replacement(row, line, reading) : partOfReplacement(row, reading)
  const summary = textField(objectField(line, "payload"), "message") ?? plainText(as.at(-1)?.content ?? [])
  return { type: "compaction", summary, prompts: [], keepFrom: null, cause: "threshold", as }
}

/** What the history was replaced with. Older versions do not record it. */
function replacement(row: Row, line: JsonObject, { history }: Reading): KeptMessage[] {
  const payload = objectField(line, "payload")
  if (payload?.replacement_history !== undefined) {
    return together(listField(payload, "replacement_history").filter(isObject).flatMap(messagesIn))
  }
  const summary = textField(payload, "message") ?? ""
  return [...lastPrompts(row, history), { role: "user", content: [{ type: "text", text: summary }] }]
}

/** The most consecutive rollbacks to follow; a hostile file may have any number. */
const MOST_ROLLBACKS = 64

/** What is left of the replacement after turns within it were rolled back. */
function partOfReplacement(row: Row, reading: Reading): KeptMessage[] {
  const { history } = reading
  const left: number[] = []
  for (let at = row; left.length < MOST_ROLLBACKS; ) {
    const head = at === 0 ? NONE : history.headAfter(at - 1)
    const line = parseLine(reading.original(at))
    if (line?.type === "compacted") {
      return left.reduceRight((said, turns) => withoutTurns(said, turns), replacement(at, line, reading))
    }
    left.push(rolledBack(history, head, numberField(objectField(line, "payload"), "num_turns") ?? 0).within)
    const before = history.compaction(head)
    if (before === NONE || before >= at) break
    at = before
  }
  return []
}

/** Drops the last turns, and the program's own messages before the first of them. */
function withoutTurns(said: readonly KeptMessage[], turns: number): KeptMessage[] {
  const asked = said.flatMap((each, i) => (isAskedIn(each) ? [i] : []))
  const first = asked[0] ?? said.length
  let end = asked.at(-turns) ?? first
  while (end > first && said[end - 1]?.role === "user" && !isAskedIn(said[end - 1] as KeptMessage)) end--
  return said.slice(0, end)
}

function isAskedIn({ role, content }: KeptMessage): boolean {
  return role === "user" && isAskedText(plainText(content))
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

function lastPrompts(row: Row, history: Reading["history"]): KeptMessage[] {
  const found: KeptMessage[] = []
  let left = MOST_CHARACTERS
  for (let at = history.prompt(row); at !== NONE && left > 0; at = history.prompt(history.parent(at))) {
    const record = history.record(at)
    if (record?.type !== "message") continue
    left -= plainText(record.content).length
    found.push({ role: "user", content: record.content })
  }
  return found.reverse()
}
