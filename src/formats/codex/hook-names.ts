// The ids on a line that Codex also gives its hooks: that of the turn, as `turn_id`, and that of a call, as `tool_use_id`.
import type { LineHookNames } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"

const ITEM = Buffer.from('"type":"response_item"')

export function codexHookNames(bytes: Buffer): LineHookNames | undefined {
  if (!bytes.includes(ITEM)) return undefined
  const item = objectField(parseLine(bytes), "payload")
  if (item === undefined) return undefined
  const prompt = textField(objectField(item, "internal_chat_message_metadata_passthrough"), "turn_id")
  const call = textField(item, "type")?.endsWith("_call") === true ? textField(item, "call_id") : undefined
  return { ...(prompt !== undefined && { prompt }), calls: call === undefined ? [] : [call] }
}
