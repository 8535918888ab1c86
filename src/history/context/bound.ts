// What an answer may carry that its provider accepts only after the very same beginning.
import type { Part } from "../../model/record/part.ts"

/**
 * The parts of an answer that make sense alone, wherever they are shown. Reasoning may be signed over everything that
 * came before it, and metadata (ids, signatures) refers to reasoning, so neither is among them. Reasoning with nothing but
 * its provider's name has no signature, and is bound to nothing.
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
