// The line to append so that pi continues from an entry: an extension's entry with that parent. pi continues from the
// last line, and sends nothing of such an entry to the model.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import { uuidWords } from "../ids.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"
import type { PiHeader } from "./header.ts"

const CUSTOM_TYPE = "retcon"

/** `rowOf`: the entry that pi finds by an id. */
export function piMove(
  { read, history, to, operation }: MoveAsked,
  { version }: PiHeader,
  rowOf: (id: string) => Row | undefined,
): AppendedMove {
  if (version < 2) return NO_IDS
  const parentId = to === NONE ? null : textField(parseLine(read(to)), "id")
  if (parentId === undefined || (parentId !== null && rowOf(parentId) !== to)) return NO_ENTRY
  const id = operation.id.slice(-8)
  if (history.endingWith(id).length > 0) return TAKEN
  const data = { operation: operation.id }
  const line = { type: "custom", customType: CUSTOM_TYPE, data, id, parentId, timestamp: operation.at }
  return { ok: true, source: 0, lines: [JSON.stringify(line satisfies JsonObject)], lands: to }
}

/** The operation that a line carries out. */
export function operationIn(line: JsonObject): Uint32Array | undefined {
  if (line.type !== "custom" || line.customType !== CUSTOM_TYPE) return undefined
  const operation = textField(objectField(line, "data"), "operation")
  return operation === undefined || operation.slice(-8) !== line.id ? undefined : uuidWords(operation)
}

const NO_IDS: AppendedMove = {
  ok: false,
  problem: "The entries of this session have no ids: an old pi wrote it, so it always continues at its end.",
  advice: ["Resume it in pi once, and pi adds them. Or start a new session from there with: ", { do: "split" }],
}

const NO_ENTRY: AppendedMove = {
  ok: false,
  problem: "pi cannot continue from there: it has no entry of its own at that point.",
  advice: "Choose the entry after it.",
}

const TAKEN: AppendedMove = {
  ok: false,
  problem: "The session already has an entry with the id of this move.",
  advice: "Try again: the next attempt uses another id.",
}
