// The requests in a Qwen Code session: of its answers, of sub-agents, and of what it asks by itself, such as for a summary.
import type { JsonObject } from "../../model/json.ts"
import type { RequestReader, SessionPlace, ToldRequest } from "../port.ts"
import { millis, numberField, objectField, textField } from "../shared/json-line.ts"
import { askerOf } from "./place.ts"

const EVENT = "qwen-code.api_response"

export const QWEN_MARKS = [`"${EVENT}"`]

/** The file of a sub-agent's session repeats what its asker's tells. */
export function qwenRequests({ main }: SessionPlace): RequestReader {
  return { files: askerOf(main) === undefined ? [main] : [], line: requestIn }
}

/** A branch repeats lines with their ids. The total has the thoughts once, whether the output contains them or not. */
function requestIn(line: JsonObject): ToldRequest | undefined {
  const event = objectField(objectField(line, "systemPayload"), "uiEvent")
  const key = textField(line, "uuid")
  if (event?.["event.name"] !== EVENT || key === undefined) return undefined
  const count = (field: string) => Math.max(0, numberField(event, field) ?? 0)
  const [prompt, cached] = [count("input_token_count"), count("cached_content_token_count")]
  return {
    key,
    at: millis(line.timestamp),
    model: textField(event, "model") ?? "(unknown)",
    usage: {
      input: Math.max(0, prompt - cached),
      output: Math.max(count("output_token_count"), count("total_token_count") - prompt),
      ...(cached > 0 && { cacheRead: cached }),
    },
  }
}
