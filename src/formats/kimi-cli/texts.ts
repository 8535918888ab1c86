// The texts of a Kimi CLI message, whose content is a string or a list of parts.
import type { Json } from "../../model/json.ts"
import { textField } from "../shared/json-line.ts"

export function textsOf(content: Json | undefined): string[] {
  if (typeof content === "string") return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => textField(part, "text") ?? [])
}
