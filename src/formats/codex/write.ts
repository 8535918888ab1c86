// Writes a path of the tree as a Codex session, in the form of older versions, which need no line numbers.
import { join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { plainText } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { type PathStep, type WholePath, wholePath } from "../shared/whole-path.ts"
import { linesOf } from "../shared/writer-basics.ts"
import { codexHome } from "./rollouts.ts"
import { CUT, isCut } from "./sent.ts"
import { answerItems, type CustomCalls, isSealed, messageItems, resultItem, userItem } from "./write-items.ts"

export function writeCodex(request: WriteRequest): Written {
  const { now, cwd, homes, title } = request
  const conversation = wholePath(request.entries)
  const thread = request.newId()
  const writer = new CodexWriter(conversation)
  writer.line(now, "session_meta", {
    id: thread,
    timestamp: now,
    cwd,
    originator: "retcon",
    cli_version: "",
    source: "cli",
  })
  if (title !== undefined) {
    writer.line(now, "event_msg", { type: "thread_name_updated", thread_id: thread, thread_name: title })
  }
  for (const step of conversation.steps) writer.step(step)
  const [day, time] = [now.slice(0, 10), now.slice(0, 19).replaceAll(":", "-")]
  const path = join(codexHome(homes), "sessions", ...day.split("-"), `rollout-${time}-${thread}.jsonl`)
  return {
    files: [{ path, bytes: writer.bytes() }],
    resume: ["codex", "resume", thread],
    lost: [...conversation.lost, ...writer.lost],
  }
}

class CodexWriter {
  readonly lost: Written["lost"] = []
  readonly #conversation: WholePath
  readonly #lines: JsonObject[] = []
  /** The items of each step, with their marks, for a compaction that keeps them. */
  readonly #items: JsonObject[][] = []
  readonly #custom: CustomCalls = new Set()

  constructor(conversation: WholePath) {
    this.#conversation = conversation
  }

  bytes(): Uint8Array {
    return linesOf(this.#lines)
  }

  line(at: string, type: string, payload: JsonObject, retcon?: JsonObject): void {
    this.#lines.push({ timestamp: at, type, payload, ...(retcon !== undefined && { retcon }) })
  }

  step(step: PathStep): void {
    const written = this.#items.length
    this.#items.push([])
    if (step.type === "user") this.#user(step)
    else if (step.type === "answer") this.#answer(step)
    else if (step.type === "results") this.#results(step)
    else this.#compaction(step, written)
  }

  #user({ at, origin, turn, content, display }: Extract<PathStep, { type: "user" }>): void {
    const typed = origin === "prompt" || origin === "steer" || turn
    const mark = { origin, ...(turn && { turn }), ...(display !== undefined && { display }) }
    this.#item(at, userItem(content, typed), mark)
    // What the program shows, and uses as the session's title.
    if (typed) this.line(at, "event_msg", { type: "user_message", message: display ?? plainText(content), images: [] })
  }

  #answer({ at, entry, content }: Extract<PathStep, { type: "answer" }>): void {
    for (const part of content) {
      if (part.type === "reasoning" && !isSealed(part)) {
        this.lost.push({ entry, what: "reasoning, which Codex accepts only in its provider's encrypted form" })
      }
      for (const item of answerItems([part], this.#custom)) this.#item(at, item)
      if (part.type === "text") this.line(at, "event_msg", { type: "agent_message", message: part.text })
    }
  }

  #results({ at, entry, results }: Extract<PathStep, { type: "results" }>): void {
    for (const result of results) {
      if (isCut(result.output)) this.lost.push({ entry, what: CUT })
      this.#item(at, resultItem(result, this.#custom), result.error === true ? { error: true } : undefined)
    }
  }

  #compaction({ at, record, messages }: Extract<PathStep, { type: "compaction" }>, step: number): void {
    const replaced = messages.flatMap(({ role, content }) => messageItems(role, content, this.#custom))
    const kept = record.keepFrom === null ? undefined : this.#conversation.stepOf.get(record.keepFrom)
    const history = [...replaced, ...this.#items.slice(kept ?? step, step).flat()]
    this.line(at, "compacted", { message: record.summary, replacement_history: history })
  }

  #item(at: string, item: JsonObject, mark?: JsonObject): void {
    this.#items.at(-1)?.push(mark === undefined ? item : { ...item, retcon: mark })
    this.line(at, "response_item", item, mark)
  }
}
