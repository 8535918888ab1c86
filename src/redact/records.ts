// All texts of a record. Images and files are not examined.
import { isObject, type Json, type JsonObject } from "../model/json.ts"
import { sanitise } from "../model/text/sanitise.ts"
import type { SecretSurvey } from "./secret-survey.ts"

/** Contract: texts are seen as they would be shown, without colours, and adjacent texts of a message also as one. */
export function surveyRecord(survey: SecretSurvey, record: object): void {
  const seen: string[] = []
  const waiting: PendingValue[] = [{ value: record as unknown as Json, name: "", named: false }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, name, named } = next
    if (typeof value === "string") {
      const text = sanitise(value)
      seen.push(text)
      if (named) survey.seeNamed(name, text)
    } else if (Array.isArray(value)) for (const each of value) waiting.push({ value: each, name, named })
    else if (isObject(value)) for (const each of fields(value, named)) waiting.push(each)
  }
  survey.see([seen.join("\n")])
  const texts = textParts(record as JsonObject)
  if (texts.length > 1) survey.see(texts)
}

function textParts({ content }: JsonObject): string[] {
  const parts = Array.isArray(content) ? content : []
  return parts.flatMap((part) =>
    isObject(part) && part.type === "text" && typeof part.text === "string" ? [sanitise(part.text)] : [],
  )
}

interface PendingValue {
  value: Json
  name: string
  /** In a tool's input, names come from a person or a model and describe their values. */
  named: boolean
}

function fields(value: JsonObject, named: boolean): PendingValue[] {
  const isMedia = value.type === "image" || value.type === "file"
  return Object.entries(value)
    .filter(([name]) => !(isMedia && name === "data"))
    .map(([name, each]) => ({ value: each, name, named: named || name === "input" }))
}
