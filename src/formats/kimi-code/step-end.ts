// What is known about an answer once its step has ended, and which model gave it.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import type { Reading } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"
import { usageIn } from "../shared/usage.ts"

const COUNTS = {
  input: "inputOther",
  output: "output",
  cacheRead: "inputCacheRead",
  cacheWrite: "inputCacheCreation",
}

/** `end`: the event that ended the step, or another one of that step. */
export function usageOf(end: JsonObject | undefined): Usage | undefined {
  return usageIn(end?.type === "step.end" ? objectField(end, "usage") : undefined, COUNTS)
}

export function stopOf(end: JsonObject | undefined): string | undefined {
  return end?.type === "step.end" ? textField(end, "finishReason") : undefined
}

/** A profile may name no model: then the earlier one applies. */
const MOST_STATES = 16

export function modelAt(row: Row, { history, original }: Reading): string | undefined {
  let state = history.state(row)
  for (let states = 0; state !== NONE && states < MOST_STATES; states++, state = history.state(history.parent(state))) {
    const model = textField(parseLine(original(state)), "modelAlias")
    if (model !== undefined) return model
  }
  return undefined
}
