// One entry in full: its facts, then its content.
import { DROPPED_WORDS } from "../../model/record/entry-text.ts"
import type { LogRecord } from "../../model/record/record.ts"
import { ago } from "../../model/text/amounts.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { partLines } from "./context-lines.ts"
import type { Style } from "./style.ts"

export function* entryLines(record: LogRecord, now: number, style: Style): Generator<string> {
  for (const [name, value] of facts(record)) yield `${style.quiet(name.padEnd(9))} ${sanitiseLine(value)}`
  yield `${style.quiet("at".padEnd(9))} ${sanitiseLine(record.at)} (${ago(record.at, now)})`
  yield ""
  if (record.type === "message") for (const part of record.content) yield* partLines(part, style)
  else yield* sanitise(JSON.stringify(body(record), null, 2)).split("\n")
}

function facts(record: LogRecord): [string, string][] {
  const found: [string, string][] = [
    ["entry", record.id],
    ["type", record.type === "unknown-entry" || record.type === "unknown" ? record.was : record.type],
  ]
  if ("parent" in record) found.push(["parent", record.parent ?? "none"])
  if (record.type !== "message") return found
  found.push(["role", record.role], ["origin", record.origin])
  if (record.model !== undefined) found.push(["model", record.model])
  if (record.stop !== undefined) found.push(["stop", record.stop])
  if (record.usage !== undefined) found.push(["usage", JSON.stringify(record.usage)])
  if (record.dropped === true) found.push(["dropped", DROPPED_WORDS])
  if (record.display !== undefined) found.push(["typed", record.display])
  return found
}

function body(record: LogRecord): object {
  const { id: _id, type: _type, at: _at, ...rest } = record
  if (!("parent" in rest)) return rest
  const { parent: _parent, ...own } = rest
  return own
}
