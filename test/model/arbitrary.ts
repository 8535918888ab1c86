// Random records of every type, as the engine itself would write them.
import * as fc from "fast-check"
import type { EntryId, RecordId, SessionId } from "../../src/model/id.ts"
import type { Json, JsonObject } from "../../src/model/json.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import type { Part, WritableRecord } from "../../src/model/record/record.ts"

/** Text with all that JSON has to escape: quotes, newlines, NUL, lone surrogates. */
export const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20, unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: "binary" }) },
  { weight: 1, arbitrary: fc.constantFrom('"}', "\n", "\u0000", "\u2028", "\ud800", '","type":"label', "\\", "") },
)

export const anyId = fc.uuid({ version: 7 })
const anyEntryId = anyId as fc.Arbitrary<EntryId>
const anyRecordId = anyId as fc.Arbitrary<RecordId>
const anySessionId = anyId as fc.Arbitrary<SessionId>
const anyTime = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString())
const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null })

/** A JSON value as it is after a round trip: no -0. */
export const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json)
const anyObject = fc.dictionary(fc.string({ maxLength: 5 }), anyJson, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>

/** An object of which the fields not named in `required` may be missing. */
function shape<Fields extends Record<string, fc.Arbitrary<unknown>>>(fields: Fields, required: (keyof Fields)[]) {
  return fc.record(fields, { requiredKeys: required as never, noNullPrototype: true })
}

const anyPart = fc.oneof(
  shape({ type: fc.constant("text"), text: anyText, meta: anyObject }, ["type", "text"]),
  shape({ type: fc.constant("reasoning"), text: anyText, meta: anyObject }, ["type", "text"]),
  shape({ type: fc.constant("image"), mediaType: anyText, data: anyText }, ["type", "mediaType", "data"]),
  shape({ type: fc.constant("file"), mediaType: anyText, data: anyText, name: anyText }, ["type", "mediaType", "data"]),
  shape({ type: fc.constant("tool-call"), call: anyText, name: anyText, input: anyJson }, [
    "type",
    "call",
    "name",
    "input",
  ]),
  shape({ type: fc.constant("tool-result"), call: anyText, name: anyText, output: anyText, error: fc.constant(true) }, [
    "type",
    "call",
    "output",
  ]),
  shape({ type: fc.constant("unknown"), raw: anyObject.map((raw) => ({ ...raw, type: "hologram" })) }, ["type", "raw"]),
) as fc.Arbitrary<Part>

const base = { at: anyTime }
const inTree = { ...base, id: anyEntryId, parent: orNull(anyEntryId) }
const beside = { ...base, id: anyRecordId }

const BY_TYPE = {
  session: shape(
    {
      ...base,
      id: anySessionId,
      reads: fc.nat(3),
      writes: fc.nat(3),
      cwd: anyText,
      made: fc.record({ name: anyText, version: anyText }, { noNullPrototype: true }),
      from: fc.record(
        { session: anySessionId, entry: orNull(anyEntryId), as: fc.constantFrom("split", "task", "import") },
        { noNullPrototype: true },
      ),
    },
    ["id", "at", "reads", "writes", "cwd", "made"],
  ),
  message: shape(
    {
      ...inTree,
      role: fc.constantFrom(...ROLES),
      origin: fc.constantFrom(...ORIGINS),
      turn: fc.constant(true),
      content: fc.array(anyPart, { maxLength: 3 }),
      display: anyText,
      dropped: fc.constant(true),
      model: anyText,
      usage: fc.constant({ input: 3, output: 4 }),
      stop: anyText,
      meta: anyObject,
    },
    ["id", "at", "parent", "role", "origin", "content"],
  ),
  checkpoint: shape({ ...inTree, n: fc.nat() }, ["id", "at", "parent", "n"]),
  note: shape(
    {
      ...inTree,
      text: anyText,
      facts: fc.array(anyText, { maxLength: 2 }),
      checkpoint: fc.nat(),
      left: orNull(anyEntryId),
      discards: fc.nat(),
    },
    ["id", "at", "parent", "text", "facts", "left", "discards"],
  ),
  compaction: shape(
    {
      ...inTree,
      summary: anyText,
      prompts: fc.array(anyText, { maxLength: 2 }),
      keepFrom: orNull(anyEntryId),
      tokens: fc.constant({ before: 9, after: 2 }),
      cause: fc.constantFrom("person", "threshold", "overflow"),
      focus: anyText,
    },
    ["id", "at", "parent", "summary", "prompts", "keepFrom", "cause"],
  ),
  state: shape({ ...inTree, key: anyText, value: anyJson }, ["id", "at", "parent", "key", "value"]),
  merge: shape({ ...inTree, from: anyEntryId, text: anyText }, ["id", "at", "parent", "from", "text"]),
  operation: shape(
    {
      ...beside,
      kind: fc.constantFrom("back", "goto", "undo", "redo", "backtrack", "retract", "restore", "compact"),
      by: fc.constantFrom("person", "agent", "api"),
      head: fc.record({ from: orNull(anyEntryId), to: orNull(anyEntryId) }, { noNullPrototype: true }),
      files: fc.constant({ from: "s1", to: "s2", restore: "r1" }),
      undoes: anyRecordId,
    },
    ["id", "at", "kind", "by", "head"],
  ),
  snapshot: shape(
    {
      ...beside,
      snapshot: anyText,
      entry: orNull(anyEntryId),
      when: fc.constantFrom("before", "after"),
      call: anyText,
      changes: fc.constant([{ path: "a.txt", change: "changed", during: "command" }]),
    },
    ["id", "at", "snapshot", "entry", "when"],
  ),
  label: shape({ ...beside, entry: anyEntryId, name: anyText }, ["id", "at", "entry", "name"]),
  config: shape({ ...beside, key: anyText, value: anyJson }, ["id", "at", "key", "value"]),
}

export type WritableType = WritableRecord["type"]
export const WRITABLE_TYPES = Object.keys(BY_TYPE) as WritableType[]

/** A record of this type. */
export function anyRecordOf(type: WritableType): fc.Arbitrary<WritableRecord> {
  return (BY_TYPE[type] as fc.Arbitrary<object>).map((fields) => ({ ...fields, type }) as unknown as WritableRecord)
}

export const anyRecord = fc.oneof(...WRITABLE_TYPES.map(anyRecordOf))
