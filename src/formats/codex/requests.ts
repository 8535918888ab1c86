// The requests in a Codex thread. After each there is an event with the sums so far; it is repeated when only limits change, and a fork
// begins with those of the thread it was copied from, at the time of the fork.
import type { Json, JsonObject } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import type { RequestReader, SessionPlace, ToldRequest } from "../port.ts"
import { millis, numberField, objectField, textField } from "../shared/json-line.ts"
import { readHeader } from "./header.ts"
import { lineageOf } from "./lineage.ts"
import { usageIn } from "./token-count.ts"

export const CODEX_MARKS = ['"token_count"', '"turn_context"', '"session_meta"']

export function codexRequests({ path, main }: SessionPlace, root: (name: string) => string): RequestReader {
  const reader = new Reader(root)
  const own = () => (lineageOf(path) ?? []).flatMap((file) => (file.upTo === undefined ? [file.path] : []))
  // Only a thread that was reverted has several files.
  const single = path === main && readHeader(path)?.base === undefined
  return { files: single ? [main] : own(), line: (line) => reader.line(line) }
}

const SUMS = [
  "input_tokens",
  "cached_input_tokens",
  "cache_write_input_tokens",
  "output_tokens",
  "reasoning_output_tokens",
  "total_tokens",
]

class Reader {
  readonly #root: (name: string) => string
  #model = "(unknown)"
  /** The thread whose sums these are: for a fork, the oldest that it was copied from. */
  #thread = ""
  #own: string | undefined
  /** How often the sums began anew. */
  #starts = 0
  #before: JsonObject | undefined

  constructor(root: (name: string) => string) {
    this.#root = root
  }

  line(line: JsonObject): ToldRequest | undefined {
    const payload = objectField(line, "payload")
    if (line.type === "session_meta") this.#header(payload)
    else if (line.type === "turn_context") this.#model = textField(payload, "model") ?? this.#model
    else if (line.type === "event_msg" && payload?.type === "token_count") return this.#counted(payload, line.timestamp)
    return undefined
  }

  /** The headers of the threads that a fork was copied from follow its own. */
  #header(payload: JsonObject | undefined): void {
    const id = textField(payload, "id")?.toLowerCase()
    const from = textField(payload, "forked_from_id")?.toLowerCase()
    if (id === undefined) return
    if (this.#own === undefined || from !== undefined || id !== this.#own) this.#thread = this.#root(from ?? id)
    this.#own ??= id
  }

  #counted(event: JsonObject, time: Json | undefined): ToldRequest | undefined {
    const sums = objectField(objectField(event, "info"), "total_token_usage")
    if (sums === undefined) return undefined
    const [now, before] = [numberField(sums, "total_tokens") ?? 0, numberField(this.#before, "total_tokens") ?? 0]
    const last = usageIn(event)
    const usage = last ?? difference(sums, now < before ? undefined : this.#before)
    if (this.#before !== undefined && now === before) return undefined
    if (now < before) this.#starts++
    this.#before = sums
    const key = [this.#thread, this.#starts, ...SUMS.map((name) => numberField(sums, name) ?? 0)].join(" ")
    return { key, at: millis(time), model: this.#model, usage }
  }
}

function difference(sums: JsonObject, before: JsonObject | undefined): Usage {
  const more = Object.fromEntries(
    SUMS.map((name) => [name, (numberField(sums, name) ?? 0) - (numberField(before, name) ?? 0)]),
  )
  return usageIn({ info: { last_token_usage: more } }) ?? {}
}
