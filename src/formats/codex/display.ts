// What a person typed, without what the program put around it.
import type { JsonObject } from "../../model/json.ts"
import { listField, textField } from "../shared/json-line.ts"
import { kindsOf } from "./origin.ts"

/** An editor puts its open files before the request. */
const REQUEST = "## My request for Codex:"

/** Undefined if there is nothing around it. */
export function displayOf(item: JsonObject): string | undefined {
  if (item.role !== "user") return undefined
  const kinds = kindsOf(item)
  const content = listField(item, "content")
  const typed = content.filter((_, i) => kinds[i]?.startsWith("user.") === true)
  const some = typed.length > 0 && typed.length < content.length
  const text = (some ? typed : content)
    .map((part) => textField(part, "text"))
    .filter((each) => each !== undefined)
    .join("\n")
  const at = /^# (?:Context from my IDE|Files mentioned)/.test(text) ? text.indexOf(REQUEST) : -1
  if (at !== -1) return text.slice(at + REQUEST.length).trim()
  return some ? text : undefined
}
