// The texts of a message of Kimi CLI: its content is a text, or a list of parts.
import type { Json } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

export function textsOf(content: Json | undefined): string[] {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => textField(part, "text") ?? [])
}
