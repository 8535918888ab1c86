// The one parser for all records. A misfit is returned as a problem in words, never thrown, never skipped.
import { type EntryId, parseEntryId, parseRecordId, parseSessionId, type RecordId } from "../id.ts"
import { isObject, type Json, type JsonObject, type Parsed, parseJson } from "../json.ts"
import { parseOrigin, parseRole } from "./origin.ts"
import { type LogRecord, parsePart } from "./record.ts"

export function parseRecord(line: string): Parsed<LogRecord> {
  const json = parseJson(line)
  if (!json.ok) return { ok: false, problem: `not JSON (${json.problem})` }
  if (!isObject(json.value)) return { ok: false, problem: "not a JSON object" }
  const shape = shapeOf(json.value)
  const problem = misfit(json.value, shape)
  return problem === undefined ? { ok: true, value: shaped(json.value, shape) } : { ok: false, problem }
}

/** The shape its type requires; undefined for a type, or a message's role, that only a newer version knows. */
function shapeOf({ type, role }: JsonObject): Shape | undefined {
  if (type === "message" && typeof role === "string" && parseRole(role) === undefined) return undefined
  return knownShape(type)
}

/** Why a record could not be read back as it is, in words; undefined if it could. */
export function recordProblem(record: object): string | undefined {
  if (!isObject(record)) return "not an object"
  return (
    misfit(record, knownShape(record.type)) ??
    (record.type === "message" ? partProblem(record.content as Json[]) : undefined)
  )
}

function partProblem(content: readonly Json[]): string | undefined {
  const at = content.findIndex(
    (part) => !isObject(part) || (part.type !== "unknown" && parsePart(part).type === "unknown"),
  )
  return at === -1 ? undefined : `part ${at + 1} of "content" lacks a field that its type needs`
}

type Check = (value: Json | undefined) => boolean
type Shape = { [field: string]: Check }

const string: Check = (value) => typeof value === "string"
const number: Check = (value) => Number.isFinite(value)
const present: Check = (value) => value !== undefined
const id: Check = (value) => parseRecordId(value) !== undefined
const idOrNull: Check = (value) => value === null || id(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

const SHAPES: { [type: string]: Shape } = {
  session: {
    id: (value) => parseSessionId(value) !== undefined,
    reads: number,
    writes: number,
    cwd: string,
    made: isObject,
    from: optional((value) => isObject(value) && id(value.session) && idOrNull(value.entry)),
  },
  message: {
    parent: idOrNull,
    role: (value) => parseRole(value) !== undefined,
    origin: string,
    content: listOf(present),
    answer: optional(string),
  },
  checkpoint: {
    parent: idOrNull,
    n: number,
    leaves: optional(listOf((value) => isObject(value) && number(value.n) && number(value.tokens))),
  },
  note: {
    parent: idOrNull,
    text: string,
    facts: listOf(string),
    left: idOrNull,
    discards: number,
    prompts: optional(listOf(string)),
  },
  compaction: {
    parent: idOrNull,
    summary: string,
    prompts: listOf(string),
    keepFrom: idOrNull,
    cause: string,
    as: optional(
      listOf((value) => isObject(value) && parseRole(value.role) !== undefined && listOf(present)(value.content)),
    ),
  },
  state: { parent: idOrNull, key: string, value: present },
  merge: { parent: idOrNull, from: id, text: string },
  operation: {
    kind: string,
    by: string,
    via: optional(string),
    head: (value) => isObject(value) && idOrNull(value.from) && idOrNull(value.to),
    undoes: optional(id),
    prompt: optional(id),
    takes: optional(id),
  },
  snapshot: { snapshot: string, entry: idOrNull, when: string },
  label: { entry: id, name: string },
  config: { key: string, value: present },
}

function knownShape(type: Json | undefined): Shape | undefined {
  return typeof type === "string" && Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined
}

/** The first field that does not fit its type, in words; undefined if all fit. */
function misfit(value: JsonObject, shape: Shape | undefined): string | undefined {
  if (!id(value.id)) return `"id" is not an id`
  if (typeof value.type !== "string") return `"type" is missing`
  if (!string(value.at)) return `"at" is missing`
  if (!optional(idOrNull)(value.after)) return `"after" is not an id`
  if (shape === undefined) {
    return value.parent === undefined || idOrNull(value.parent) ? undefined : `"parent" is not an id`
  }
  for (const field in shape) {
    if (!shape[field]?.(value[field])) return `"${field}" of a ${value.type} record is missing or has the wrong type`
  }
  return undefined
}

/** `value` has the shape of its type: only names and parts still have to be converted. */
function shaped(value: JsonObject, shape: Shape | undefined): LogRecord {
  if (shape !== undefined && value.type === "message") {
    const origin = parseOrigin(value.origin) ?? "unknown"
    return { ...value, origin, content: (value.content as Json[]).map(parsePart) } as unknown as LogRecord
  }
  if (shape !== undefined) return value as unknown as LogRecord
  const base = { id: value.id as RecordId, at: value.at as string, was: value.type as string }
  if (value.parent === undefined) return { ...base, type: "unknown" }
  return { ...base, type: "unknown-entry", id: base.id as EntryId, parent: parseEntryId(value.parent) ?? null }
}
