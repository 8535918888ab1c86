// An opencode message as the messages that a model gets: an answer may have several steps, each with calls and results.
import type { JsonObject } from "../../model/json.ts"
import { isObject } from "../../model/json.ts"
import type { Origin, Role } from "../../model/record/origin.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import { authorOf } from "./message.ts"

export interface AnswerStep {
  role: Role
  origin: Origin
  /** `compaction`: a summary of everything before. `other`: not for the model. */
  kind: "message" | "compaction" | "other"
  /** Unique among the steps of the message. */
  key: string
  parts: JsonObject[]
  why: string
}

export function partsIn(line: JsonObject): JsonObject[] {
  return listField(line, "parts").filter(isObject)
}

export function stepsOf(line: JsonObject, task: boolean): AnswerStep[] {
  const info = objectField(line, "info")
  const parts = partsIn(line)
  if (info?.role === "user") return [userStep(parts, task)]
  if (info?.role !== "assistant") return [{ ...OTHER, parts, why: "its role is unknown" }]
  const why = 'role is "assistant"'
  if (info.summary === true) {
    const done = textField(info, "finish") !== undefined && info.error === undefined
    if (done)
      return [{ role: "assistant", origin: "summary", kind: "compaction", key: "", parts, why: "summary is true" }]
    return [{ ...OTHER, parts, why: "a summary that was not finished" }]
  }
  const steps = stepParts(parts).flatMap((own, i): AnswerStep[] => {
    const calls = own.filter(({ type }) => type === "tool")
    const answer: AnswerStep = {
      role: "assistant",
      origin: "agent",
      kind: "message",
      key: i === 0 ? "" : `${i}`,
      parts: own,
      why,
    }
    if (calls.length === 0) return [answer]
    return [
      answer,
      { role: "tool", origin: "tool", kind: "message", key: `${i} results`, parts: calls, why: "tool parts" },
    ]
  })
  return steps.length === 0 ? [{ ...OTHER, parts, why: "an answer without content" }] : steps
}

const OTHER = { role: "user", origin: "unknown", kind: "other", key: "" } as const

function userStep(parts: JsonObject[], task: boolean): AnswerStep {
  if (parts.some(({ type }) => type === "compaction")) {
    return { ...OTHER, parts, why: "it asks for a summary" }
  }
  const { origin, why } = authorOf(parts, task)
  return { role: "user", origin, kind: "message", key: "", parts, why }
}

/** The parts that say something, by step. */
function stepParts(parts: readonly JsonObject[]): JsonObject[][] {
  const steps: JsonObject[][] = []
  let begun = false
  for (const part of parts) {
    if (part.type === "step-start") begun = false
    if (part.type !== "text" && part.type !== "reasoning" && part.type !== "tool") continue
    if (part.type === "text" && part.text === "") continue
    if (!begun) steps.push([])
    begun = true
    steps.at(-1)?.push(part)
  }
  return steps
}
