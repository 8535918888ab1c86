// What the scanner needs to know of a line that has a place in the tree. Filled again for each line, because scanning makes no
// garbage where it need not.
import type { JsonObject } from "../../model/json.ts"
import { madeWords, uuidWords } from "../ids.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import { CHAIN_TYPES, classify, type LineMeaning } from "./classify.ts"

export interface LineFacts {
  type: string
  id: Uint32Array
  hasParent: boolean
  parent: Uint32Array
  sidechain: boolean
  said: LineMeaning
  /** The id of the answer that this is a piece of. */
  answer: string | undefined
  /** It begins with a call of a tool. */
  calls: boolean
}

export function emptyFacts(): LineFacts {
  return {
    type: "",
    id: new Uint32Array(4),
    hasParent: false,
    parent: new Uint32Array(4),
    sidechain: false,
    said: { kind: "other", why: "" },
    answer: undefined,
    calls: false,
  }
}

/** False: the line has no place in the tree. Undefined: it should have one, and says not who it is. */
export function factsOf(line: JsonObject, facts: LineFacts): boolean | undefined {
  const type = textField(line, "type")
  if (type === undefined || !CHAIN_TYPES.has(type)) return false
  if (typeof line.uuid !== "string" || line.uuid === "") return undefined
  const message = objectField(line, "message")
  facts.type = type
  facts.id.set(wordsOf(line.uuid))
  facts.hasParent = typeof line.parentUuid === "string"
  if (typeof line.parentUuid === "string") facts.parent.set(wordsOf(line.parentUuid))
  facts.sidechain = line.isSidechain === true
  facts.said = classify(line)
  facts.answer = type === "assistant" ? textField(message, "id") : undefined
  facts.calls = type === "assistant" && textField(listField(message, "content")[0], "type") === "tool_use"
  return true
}

/** An id as the file has it; one is made where it is no UUID. */
export function wordsOf(uuid: string): Uint32Array {
  return uuidWords(uuid) ?? madeWords(0, `claude-code ${uuid}`)
}
