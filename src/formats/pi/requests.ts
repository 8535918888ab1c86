// The requests in a pi session. A fork repeats the entries that it was copied from, with their ids and times.
import type { JsonObject } from "../../model/json.ts"
import type { RequestReader, SessionPlace, ToldRequest } from "../port.ts"
import { millis, objectField, textField } from "../shared/json-line.ts"
import { usageIn } from "../shared/usage.ts"
import { COUNTS } from "./record.ts"

export const PI_MARKS = ['"role":"assistant"']

export function piRequests({ main }: SessionPlace): RequestReader {
  return { files: [main], line: requestIn }
}

function requestIn(line: JsonObject): ToldRequest | undefined {
  const message = line.type === "message" ? objectField(line, "message") : undefined
  // What retcon has copied counts where it was answered.
  if (message?.role !== "assistant" || message.api === "retcon") return undefined
  const [usage, id] = [usageIn(objectField(message, "usage"), COUNTS), textField(line, "id")]
  if (usage === undefined || id === undefined) return undefined
  const [provider, model = "(unknown)"] = [textField(message, "provider"), textField(message, "model")]
  const at = millis(line.timestamp)
  return { key: `${id} ${at}`, at, model: provider === undefined ? model : `${provider}/${model}`, usage }
}
