// Parts of an answer that its provider accepts only after exactly the same beginning of the conversation.
import type { Part } from "../../model/record/record.ts"

/**
 * The parts of an answer that are valid anywhere. Reasoning may be signed over everything before it, and metadata (ids,
 * signatures) refers to reasoning, so both are removed. Reasoning with only its provider's name as metadata stays.
 */
export function unbound(content: readonly Part[]): Part[] {
  return content.flatMap((part): Part[] => {
    if (part.type === "unknown") return [part]
    if (part.type === "reasoning") return part.meta !== undefined && part.meta.data === undefined ? [part] : []
    if (part.meta === undefined) return [part]
    const { meta: _, ...rest } = part
    // An empty text was only there for its metadata.
    return rest.type === "text" && rest.text === "" ? [] : [rest]
  })
}
