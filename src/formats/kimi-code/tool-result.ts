// Kimi Code's tool results as ours.
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { numberField, textField } from "../shared/json-line.ts"
import { contentOf, type ReadBlob } from "../shared/kimi-parts.ts"

interface Result {
  content: Json | undefined
  isError: boolean
  note: string | undefined
  ms: number | undefined
  /** Written by retcon, and sent unchanged. */
  isOurs: boolean
}

/** `name`: of the tool, if known: the program tells the model how long some tools took. */
export function resultOf(call: string, name: string | undefined, result: Result, blob: ReadBlob): Part {
  const parts = contentOf(result.content, blob)
  const media = parts.filter(({ type }) => type !== "text")
  const said = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  const texts = result.isOurs ? said : withStatus(said, media.length, result.isError)
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

const [EMPTY, FAILED] = ["Tool output is empty.", "ERROR: Tool execution failed."]

/** What the program tells the model about a failed or empty result. */
function withStatus(texts: string[], media: number, isError: boolean): string[] {
  const blank = media === 0 && texts.every((text) => text.trim() === "" || (!isError && text.trim() === EMPTY))
  if (isError) return blank ? [status(`${FAILED} ${EMPTY}`)] : [status(FAILED), ...texts]
  return blank ? [status(EMPTY)] : texts
}

function status(text: string): string {
  return `<system>${text}</system>`
}

const TIMED = new Set(["Agent", "AgentSwarm", "Bash", "FetchURL", "Glob", "Grep", "WebSearch"])

function isTimed(tool: string): boolean {
  return TIMED.has(tool) || tool.startsWith("mcp__")
}

/** The result in a loop event, or in a message; both have the same fields. */
export function resultFields(raw: JsonObject | undefined, content: "output" | "content", ours?: JsonObject): Result {
  return {
    content: raw?.[content],
    isError: raw?.isError === true || ours?.error === true,
    isOurs: ours !== undefined,
    note: textField(raw, "note"),
    ms: numberField(raw, "durationMs"),
  }
}
