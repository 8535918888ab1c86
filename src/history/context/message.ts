// One message as the model sees it.
import type { Role } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/part.ts"

export interface ContextMessage {
  role: Role
  content: Part[]
}
