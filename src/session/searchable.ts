// The texts of a record that a search covers, each with a word for what it is.
import type { Json } from "../model/json.ts"
import type { LogRecord, MessageRecord, Part } from "../model/record/record.ts"
import { unreachable } from "../model/unreachable.ts"
import { SPLIT_SUFFIX } from "./operations/split.ts"

export interface Searchable {
  /** Who or what said it: you, agent, tool, note, … */
  where: string
  text: string
}

export function* searchable(record: LogRecord): Generator<Searchable> {
  switch (record.type) {
    case "message":
      if (record.display !== undefined) yield { where: speaker(record), text: record.display }
      for (const part of record.content) yield* partTexts(part, speaker(record))
      return
    case "note":
      yield { where: "note", text: [record.text, ...record.facts].join("\n") }
      return
    case "compaction":
      yield { where: "summary", text: record.summary }
      return
    case "merge":
      yield { where: "merge", text: record.display ?? record.text }
      return
    case "label":
      yield { where: "label", text: record.name }
      return
    case "config":
      if (record.key === "title" && typeof record.value === "string" && !record.value.endsWith(SPLIT_SUFFIX)) {
        yield { where: "title", text: record.value }
      }
      return
    case "state":
      // It is the same in every session: its matches would hide what was said.
      if (record.key === "system") return
      yield { where: "state", text: strings(record.value).join("\n") }
      return
    case "checkpoint":
    case "unknown-entry":
    case "session":
    case "operation":
    case "snapshot":
    case "unknown":
      return
    default:
      unreachable(record)
  }
}

function speaker(record: MessageRecord): string {
  if (record.role === "assistant") return "agent"
  if (record.role !== "user") return record.role
  return record.origin === "prompt" || record.origin === "steer" || record.origin === "command" ? "you" : record.origin
}

function* partTexts(part: Part, who: string): Generator<Searchable> {
  switch (part.type) {
    case "text":
      yield { where: who, text: part.text }
      return
    case "reasoning":
      yield { where: "thinking", text: part.text }
      return
    case "tool-call":
      yield { where: "call", text: [part.name, ...strings(part.input)].join(" ") }
      return
    case "tool-result":
      yield { where: "result", text: part.output }
      for (const media of part.media ?? []) yield* partTexts(media, who)
      return
    case "file":
      if (part.name !== undefined) yield { where: "file", text: part.name }
      return
    case "unknown":
      yield { where: who, text: strings(part.raw).join("\n") }
      return
    case "image":
      return
    default:
      unreachable(part)
  }
}

/** All strings in a value, in order. No recursion: a value may be nested arbitrarily deep. */
function strings(value: Json): string[] {
  const found: string[] = []
  const open: Json[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") found.push(next)
    else if (typeof next === "object" && next !== null) {
      const inner = Array.isArray(next) ? next : Object.values(next)
      for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i] as Json)
    }
  }
  return found
}
