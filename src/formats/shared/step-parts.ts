// What the writers of several formats do in the same way with the steps of a path.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { plainText } from "../../model/record/record.ts"
import type { PathStepOf } from "./whole-path.ts"

/** Whether the person typed it. */
export function isTyped({ origin, turn }: PathStepOf<"user">): boolean {
  return origin === "prompt" || origin === "steer" || turn
}

/** The text that replaces the conversation so far, for an agent that introduces a summary itself. */
export function summaryText({ record, messages }: PathStepOf<"compaction">): string {
  const asked = record.prompts.length === 0 ? [] : ["What the user asked before, word for word:", ...record.prompts]
  const texts = record.as === undefined ? [record.summary, ...asked] : messages.map(({ content }) => plainText(content))
  return texts.join("\n\n")
}

/** A call's input as an object, because some agents accept nothing else; `retcon` records that it was wrapped. */
export function wrappedInput(input: Json): { input: JsonObject; retcon?: "input" } {
  return isObject(input) ? { input } : { input: { input }, retcon: "input" }
}

/** Undoes `wrappedInput`. */
export function unwrappedInput(call: Json, input: Json): Json {
  return isObject(call) && call.retcon === "input" && isObject(input) ? (input.input ?? null) : input
}
