// The requests in a Claude Code session. Every piece of an answer has a usage; a fork and a sub-agent's file may repeat answers.
import type { JsonObject } from "../../model/json.ts"
import type { RequestReader, SessionPlace, ToldRequest } from "../port.ts"
import { millis, objectField, textField } from "../shared/json-line.ts"
import { usageIn } from "../shared/usage.ts"
import { COUNTS } from "./record.ts"

export const CLAUDE_MARKS = ['"type":"assistant"']

/** The program's own words, said in the model's place. */
const NO_MODEL = "<synthetic>"

/** How retcon names the answers of a session that it has copied: they count where they were given. */
const COPIED = /^msg_[0-9a-f]{8}-[0-9a-f]{4}-/

export function claudeRequests({ main }: SessionPlace): RequestReader {
  return { files: [main], line: requestIn }
}

function requestIn(line: JsonObject): ToldRequest | undefined {
  const message = line.type === "assistant" ? objectField(line, "message") : undefined
  const usage = usageIn(objectField(message, "usage"), COUNTS)
  const model = textField(message, "model") ?? "(unknown)"
  // Some gateways send no id of the request; that of the message is always there, and stays when a sub-agent repeats it.
  const key = textField(message, "id") ?? textField(line, "requestId") ?? textField(line, "uuid")
  if (usage === undefined || key === undefined || model === NO_MODEL || COPIED.test(key)) return undefined
  return { key, at: millis(line.timestamp), model, usage }
}
