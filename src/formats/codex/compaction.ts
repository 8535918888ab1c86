// A compaction of Codex: what the history was replaced with.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import type { Role } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/part.ts"
import type { CompactionRecord } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { listField, textField } from "../shared/json-line.ts"
import { partsOf } from "./item.ts"
import { originOf } from "./origin.ts"

type Said = { role: Role; content: Part[] }

export function compactionOf(
  row: Row,
  payload: JsonObject,
  { history }: Reading,
): Omit<CompactionRecord, "id" | "at" | "parent"> {
  const summary = textField(payload, "message") ?? ""
  const replaced = listField(payload, "replacement_history").filter(isObject)
  const older = () => [
    ...lastPrompts(row, history),
    { role: "user" as const, content: [{ type: "text" as const, text: summary }] },
  ]
  return {
    type: "compaction",
    summary,
    prompts: [],
    keepFrom: null,
    cause: "threshold",
    as: payload.replacement_history === undefined ? older() : together(replaced.flatMap(saidIn)),
  }
}

const NO_TURN = { started: false, task: false, asked: false }

function saidIn(item: JsonObject): Said[] {
  const said = originOf(item, NO_TURN)
  const content = said === undefined ? [{ type: "unknown" as const, raw: item }] : partsOf(item)
  return content.length === 0 ? [] : [{ role: said?.role ?? "user", content }]
}

/** The pieces of an answer are one message, and so are the results of its calls. */
function together(all: readonly Said[]): Said[] {
  const found: Said[] = []
  for (const { role, content } of all) {
    const last = found.at(-1)
    if (last?.role === role && role !== "user") last.content.push(...content)
    else found.push({ role, content: [...content] })
  }
  return found
}

/** Older versions kept the last prompts, up to about 20,000 tokens, and said so nowhere. */
const MOST_CHARACTERS = 80_000

function lastPrompts(row: Row, history: Reading["history"]): Said[] {
  const found: Said[] = []
  let left = MOST_CHARACTERS
  for (let at = history.prompt(row); at !== NONE && left > 0; at = history.prompt(history.parent(at))) {
    const record = history.record(at)
    if (record?.type !== "message") continue
    left -= plainText(record.content).length
    found.push({ role: "user", content: record.content })
  }
  return found.reverse()
}
