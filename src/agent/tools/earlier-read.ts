// "Unchanged since you read it" is decided only by what the model can see. There is no cache that a rewind, a
// compaction or a split could forget to clear.
import { isObject } from "../../model/json.ts"
import type { Part, ToolCallPart } from "../../model/record/part.ts"
import type { ModelMessage } from "../../provider/port/port.ts"
import { absolute, type WorkRoot } from "../port/work-root.ts"

export const UNCHANGED = "(The file has not changed since you read it with this same call, above.)"

interface Wanted {
  offset?: number | undefined
  limit?: number | undefined
}

/** What the last Read of the same lines of this file returned, if the model can still see it. */
export function earlierRead(
  messages: readonly ModelMessage[],
  root: WorkRoot,
  path: string,
  wanted: Wanted,
): string | undefined {
  const outputs = new Map<string, string>()
  for (const message of messages.toReversed()) {
    for (const part of message.content.toReversed()) {
      if (part.type === "tool-result" && part.error !== true && typeof part.output === "string") {
        outputs.set(part.call, part.output)
      }
      const output = isSameRead(part, root, path, wanted) ? outputs.get(part.call) : undefined
      if (output !== undefined && output !== UNCHANGED) return output
    }
  }
  return undefined
}

function isSameRead(part: Part, root: WorkRoot, path: string, wanted: Wanted): part is ToolCallPart {
  if (part.type !== "tool-call" || part.name !== "Read" || !isObject(part.input)) return false
  const { path: named, offset, limit } = part.input
  return (
    typeof named === "string" &&
    absolute(root, named) === path &&
    (offset ?? 1) === (wanted.offset ?? 1) &&
    (limit ?? undefined) === wanted.limit
  )
}
