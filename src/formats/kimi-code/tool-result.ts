// Results of tools of Kimi Code as ours.
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import { numberField, textField } from "../shared/json-line.ts"
import { contentOf, type ReadBlob } from "../shared/kimi-parts.ts"

/** `name`: of the tool, where that is known: the program tells the model how long some tools took. */
export function resultOf(
  call: string,
  name: string | undefined,
  result: { content: Json | undefined; isError: boolean; note: string | undefined; ms: number | undefined },
  blob: ReadBlob,
): Part {
  const parts = contentOf(result.content, blob)
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const media = parts.filter(({ type }) => type !== "text")
  if (result.ms !== undefined && name !== undefined && isTimed(name)) {
    texts.unshift(`Wall time: ${(result.ms / 1000).toFixed(3)} seconds`)
  }
  if (result.note !== undefined && result.note !== "") texts.push(result.note)
  return {
    type: "tool-result",
    call,
    ...(name !== undefined && { name }),
    output: texts.join("\n"),
    ...(result.isError && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

const TIMED = new Set(["Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch"])

function isTimed(tool: string): boolean {
  return TIMED.has(tool) || tool.startsWith("mcp__")
}

/** The result of a loop event, or of a message, by the same fields. */
export function resultFields(
  raw: JsonObject | undefined,
  content: "output" | "content",
): Parameters<typeof resultOf>[2] {
  return {
    content: raw?.[content],
    isError: raw?.isError === true,
    note: textField(raw, "note"),
    ms: numberField(raw, "durationMs"),
  }
}
