// The ids on a line that Claude Code also gives its hooks: `promptId`, as `prompt_id`, and those of calls, as `tool_use_id`.
import type { LineHookNames, WantedHooks } from "../port.ts"
import { listField, objectField, parseLine, textField } from "../shared/json-line.ts"

const PROMPT = Buffer.from('"promptId":"')
const CALL = Buffer.from('"tool_use"')
const QUOTE = 34

/** Parses a line only if it has a call or may have the prompt. */
export function claudeHookNames(bytes: Buffer, { isWanted }: WantedHooks): LineHookNames | undefined {
  if (!bytes.includes(CALL) && !mayHoldPrompt(bytes, isWanted)) return undefined
  const line = parseLine(bytes)
  if (line === undefined) return undefined
  const prompt = textField(line, "promptId")
  const blocks = line.type === "assistant" ? listField(objectField(line, "message"), "content") : []
  const calls = blocks.filter((block) => textField(block, "type") === "tool_use").map((block) => textField(block, "id"))
  return { ...(prompt !== undefined && { prompt }), calls: calls.filter((call) => call !== undefined) }
}

function mayHoldPrompt(bytes: Buffer, isWanted: (id: string) => boolean): boolean {
  for (let at = bytes.indexOf(PROMPT); at !== -1; at = bytes.indexOf(PROMPT, at + 1)) {
    const start = at + PROMPT.length
    if (isWanted(bytes.toString("utf8", start, bytes.indexOf(QUOTE, start)))) return true
  }
  return false
}
