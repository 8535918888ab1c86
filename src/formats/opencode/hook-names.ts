// The ids in a message that opencode also gives its plugins: its own, and those of its calls. An answer names the prompt's message.
import type { LineHookNames } from "../port.ts"
import { listField, objectField, parseLine, textField } from "../shared/json-line.ts"

export function opencodeHookNames(bytes: Buffer): LineHookNames | undefined {
  const line = parseLine(bytes)
  const info = objectField(line, "info")
  if (line === undefined || info === undefined) return undefined
  const prompt = textField(info, info.role === "user" ? "id" : "parentID")
  const calls = listField(line, "parts").flatMap((part) => textField(part, "callID") ?? [])
  return { ...(prompt !== undefined && { prompt }), calls }
}
