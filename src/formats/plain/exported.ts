// What `retcon export --to json` wrote: the path to its head, as drafts. Marks that belong to the old session stay there.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { parseRecord } from "../../model/record-parse.ts"
import type { PlainDraft } from "./message.ts"

export function isExported(value: Json): value is JsonObject & { entries: Json[] } {
  return isObject(value) && value.format === "retcon-export" && Array.isArray(value.entries)
}

export type ReadExport = { ok: true; drafts: PlainDraft[] } | { ok: false; problem: string }

/** Contract: messages keep who made them; checkpoints, notes and compactions are left out. */
export function readExported(value: JsonObject & { entries: Json[] }): ReadExport {
  const drafts: PlainDraft[] = []
  for (const entry of pathOf(value)) {
    const parsed = parseRecord(JSON.stringify(entry))
    if (!parsed.ok) return { ok: false, problem: `entry ${JSON.stringify(entry.id)}: ${parsed.problem}` }
    if (parsed.value.type !== "message" && parsed.value.type !== "state") continue
    const { id: _id, parent: _parent, at: _at, ...draft } = parsed.value
    drafts.push(draft)
  }
  return drafts.length === 0 ? { ok: false, problem: "it holds no messages" } : { ok: true, drafts }
}

function pathOf({ entries, head }: JsonObject & { entries: Json[] }): JsonObject[] {
  const byId = new Map(entries.filter(isObject).map((entry) => [entry.id, entry]))
  const path: JsonObject[] = []
  // Each entry is taken once, so that a cycle ends.
  for (let entry = byId.get(head ?? null); entry !== undefined; entry = byId.get(entry.parent ?? null)) {
    byId.delete(entry.id)
    path.push(entry)
  }
  return path.reverse()
}
