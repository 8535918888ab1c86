// For messages that name the message they continue: the list is then a tree in order, rather than one conversation.
import { isObject, type Json } from "../../model/json.ts"

/** The names that clients use for a message's own id and its parent's. */
const NAMES = [
  ["uuid", "parentUuid"],
  ["id", "parentId"],
  ["id", "parent_id"],
  ["id", "parent"],
] as const

/** The position of each message's parent; null starts a conversation. `at`: the message that is wrong. */
export type Parents = { ok: true; parents: (number | null)[] } | { ok: false; at: number; problem: string }

/** Undefined if no message names a parent: then each continues the one before it. */
export function readParents(messages: readonly Json[]): Parents | undefined {
  const names = NAMES.find(([, parent]) => messages.some((value) => typeof field(value, parent) === "string"))
  if (names === undefined) return undefined
  const [own, parent] = names
  const places = new Map<string, number>()
  const parents: (number | null)[] = []
  for (const [at, message] of messages.entries()) {
    const above = field(message, parent)
    const place = typeof above === "string" ? places.get(above) : null
    if (place === undefined) return wrong(at, `it continues ${JSON.stringify(above)}, which does not come before it`)
    const id = field(message, own)
    if (typeof id !== "string") return wrong(at, `other messages name their parent, and it has no "${own}"`)
    if (places.has(id)) return wrong(at, `its ${own} ${JSON.stringify(id)} is that of an earlier message`)
    parents.push(place)
    places.set(id, at)
  }
  return { ok: true, parents }
}

function field(message: Json, name: string): Json | undefined {
  return isObject(message) ? message[name] : undefined
}

function wrong(at: number, problem: string): Parents {
  return { ok: false, at, problem }
}
