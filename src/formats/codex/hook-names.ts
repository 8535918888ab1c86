// The ids on a line that Codex also gives its hooks: that of the turn, as `turn_id`, and that of a call, as `tool_use_id`.
import { parseJson } from "../../model/json.ts"
import type { LineHookNames } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"

const ITEM = Buffer.from('"type":"response_item"')

export function codexHookNames(bytes: Buffer): LineHookNames | undefined {
  if (!bytes.includes(ITEM)) return undefined
  const item = objectField(parseLine(bytes), "payload")
  if (item === undefined) return undefined
  const prompt = textField(objectField(item, "internal_chat_message_metadata_passthrough"), "turn_id")
  const call = textField(item, "type")?.endsWith("_call") === true ? textField(item, "call_id") : undefined
  const started = startedIn(textField(item, "output"))
  return {
    ...(prompt !== undefined && { prompt }),
    calls: call === undefined ? [] : [call],
    ...(started !== undefined && { started }),
  }
}

/** A sub-agent has a thread and turns of its own. The result of the call that started it names the thread. */
function startedIn(output: string | undefined): string | undefined {
  const said = output?.startsWith('{"agent_id":') === true ? parseJson(output) : undefined
  return said?.ok === true ? textField(said.value, "agent_id") : undefined
}
