// What the scanner needs to know about a line in the tree. One object is reused for all lines, to avoid garbage collection.
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
  /** The id of the answer that this line is a piece of. */
  answer: string | undefined
  /** It begins with a tool call. */
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

/** False if the line has no place in the tree. Undefined if it should have one but has no id. */
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

/** The id in the file, or one derived from it if it is not a UUID. */
export function wordsOf(uuid: string): Uint32Array {
  return uuidWords(uuid) ?? madeWords(0, `claude-code ${uuid}`)
}
