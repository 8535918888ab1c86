// One message as the model sees it.
import type { Role } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/record.ts"

export interface ContextMessage {
  role: Role
  content: Part[]
}

/** Frozen, because contexts share it. */
export function message(role: Role, content: Part[]): ContextMessage {
  Object.freeze(content)
  return Object.freeze({ role, content })
}

export function textPart(text: string): Part {
  return { type: "text", text }
}
