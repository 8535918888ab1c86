// The lines of a session that is written for Kimi Code: every message of a path, whoever made it.
import { noteTexts } from "../../history/context/marks.ts"
import { interruptedResult } from "../../history/context/tool-calls.ts"
import type { EntryId } from "../../model/id.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import { type Part, plainText } from "../../model/record/part.ts"
import { isPrompt } from "../../model/record/prompt.ts"
import { type CompactionRecord, type Entry, type MessageRecord, SYSTEM_KEY } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { millis } from "../shared/json-line.ts"
import { linesOf } from "../shared/written.ts"
import { MAIN } from "./place.ts"

const KINDS: Readonly<Partial<Record<Origin, JsonObject>>> = {
  prompt: { kind: "user" },
  steer: { kind: "user", inTurn: true },
  shell: { kind: "shell_command", phase: "input" },
  hook: { kind: "hook_result", event: "retcon" },
  retry: { kind: "retry" },
}

interface WrittenAnswer {
  name: string | undefined
  content: Json[]
  toolCalls: Json[]
}

export class WireWriter {
  readonly lost: Written["lost"] = []
  readonly #request: WriteRequest
  readonly #lines: JsonObject[] = []
  /** By entry: how many messages stand before it. */
  readonly #before = new Map<EntryId, number>()
  #messages = 0
  /** How many of them the model no longer gets, less the summary that stands for them. */
  #gone = 0
  #turn = 0
  /** The answer that more pieces may come of: some agents write one in pieces. */
  #answer: WrittenAnswer | undefined
  /** The calls that have no result yet. */
  readonly #open = new Map<string, { call: string; name: string }>()

  constructor(request: WriteRequest) {
    this.#request = request
  }

  write(): Uint8Array {
    const { entries, now } = this.#request
    for (const entry of entries) this.#entry(entry)
    this.#close(now)
    return linesOf([{ type: "metadata", protocol_version: "1.5", created_at: millis(now) }, ...this.#lines])
  }

  #entry(entry: Entry): void {
    this.#before.set(entry.id, this.#messages)
    if (entry.type === "message" && entry.role === "assistant") this.#piece(entry)
    else if (entry.type === "message" && entry.role === "tool") this.#results(entry)
    else if (entry.type === "message" && entry.role === "user") this.#said(entry)
    else if (entry.type === "message") this.#lose(entry, "instructions: each agent has its own")
    else if (entry.type === "note") this.#aside(entry, "note", noteTexts(entry))
    else if (entry.type === "merge") this.#aside(entry, "injection", [entry.text])
    else if (entry.type === "compaction") this.#compaction(entry)
    else if (entry.type === "unknown-entry") this.#lose(entry, `an entry of the kind "${entry.was}"`)
    else if (entry.type === "state" && entry.key === SYSTEM_KEY)
      this.#lose(entry, "the system prompt: each agent has its own")
  }

  #aside({ id, at, parent }: Entry, origin: Origin, texts: readonly string[]): void {
    const content = texts.map((text): Part => ({ type: "text", text }))
    this.#said({ id, at, parent, type: "message", role: "user", origin, content })
  }

  #said(entry: MessageRecord): void {
    const { at, origin, turn, display } = entry
    this.#close(at)
    const content = this.#partsOf(entry)
    const asked = isPrompt(entry)
    const by = (asked ? KINDS.prompt : KINDS[origin]) ?? { kind: "injection", variant: "retcon" }
    const id = `msg_${this.#request.newId()}`
    if (asked) this.#add(at, { type: "turn.prompt", input: content, origin: by, promptId: id, turnId: this.#turn++ })
    // The program has no use for it; it says here what its own kinds cannot.
    const retcon = { origin, ...(turn === true && { turn }), ...(display !== undefined && { display }) }
    this.#message(at, { role: "user", content, id, toolCalls: [], origin: by }, { retcon })
  }

  #piece(entry: MessageRecord): void {
    const { at, answer } = entry
    if (answer === undefined || answer !== this.#answer?.name) {
      this.#close(at)
      this.#answer = { name: answer, content: [], toolCalls: [] }
      this.#message(at, { role: "assistant", content: this.#answer.content, toolCalls: this.#answer.toolCalls })
    }
    this.#answer.content.push(...this.#partsOf(entry))
    for (const part of entry.content) {
      if (part.type !== "tool-call") continue
      const { call, name } = part
      this.#open.set(call, { call, name })
      this.#answer.toolCalls.push({ type: "function", id: call, name, arguments: JSON.stringify(part.input) })
    }
  }

  #results(entry: MessageRecord): void {
    for (const part of entry.content) {
      if (part.type !== "tool-result") continue
      if (this.#open.has(part.call)) this.#result(part, entry)
      else this.#lose(entry, "a result of a call that is not there")
    }
    const content = entry.content.filter(({ type }) => type !== "tool-result")
    if (content.length > 0) this.#said({ ...entry, role: "user", origin: "injection", content })
  }

  #result(part: Extract<Part, { type: "tool-result" }>, entry: { id: EntryId | undefined; at: string }): void {
    this.#open.delete(part.call)
    const text = { type: "text", text: part.output ?? "" }
    const content = [text, ...(part.media ?? []).flatMap((each) => this.#part(each, entry.id))]
    // With a field of its own that says so, the program would put its own words before a result that failed.
    const retcon = { ...(part.error === true && { error: true }) }
    this.#message(entry.at, { role: "tool", content, toolCalls: [], toolCallId: part.call }, { retcon })
  }

  /** Kimi Code would wait for the results of calls that have none. */
  #close(at: string): void {
    this.#answer = undefined
    for (const call of Array.from(this.#open.values())) {
      const result = interruptedResult(call)
      if (result.type === "tool-result") this.#result(result, { id: undefined, at })
    }
  }

  /** The shape in which what was kept stands behind the summary as it was. */
  #compaction(record: CompactionRecord): void {
    this.#close(record.at)
    const { at, summary, keepFrom } = record
    const kept = (keepFrom === null ? undefined : this.#before.get(keepFrom)) ?? this.#messages
    const compactedCount = Math.max(0, kept - this.#gone)
    const contextSummary = summaryFor(record)
    this.#add(at, { type: "context.apply_compaction", summary, contextSummary, compactedCount, legacyTail: true })
    this.#gone = Math.max(kept, this.#gone) - 1
  }

  #message(at: string, message: JsonObject, more: JsonObject = {}): void {
    this.#messages++
    this.#add(at, { type: "context.append_message", message, ...more })
  }

  #add(at: string, { type, ...rest }: JsonObject): void {
    this.#lines.push({ type: type ?? "", agentId: MAIN, ...rest, time: millis(at) })
  }

  #partsOf({ id, content }: MessageRecord): JsonObject[] {
    return content.flatMap((part) => this.#part(part, id))
  }

  #part(part: Part, entry: EntryId | undefined): JsonObject[] {
    const found = partIn(part)
    if (found !== undefined) return [found]
    if (entry !== undefined && part.type !== "tool-call")
      this.lost.push({ entry, what: `a part of the kind "${part.type}"` })
    return []
  }

  #lose({ id }: Entry, what: string): void {
    this.lost.push({ entry: id, what })
  }
}

/** What the model gets for a compaction, in one text. */
function summaryFor({ as, summary, prompts }: CompactionRecord): string {
  if (as !== undefined) return as.map(({ content }) => plainText(content)).join("\n\n")
  if (prompts.length === 0) return summary
  return [summary, "What the user asked before, word for word, oldest first:", ...prompts].join("\n\n")
}

function partIn(part: Part): JsonObject | undefined {
  if (part.type === "text") return { type: "text", text: part.text ?? "" }
  if (part.type === "reasoning") return thought(part.text ?? "", part.meta)
  if (part.type !== "image") return undefined
  return { type: "image_url", imageUrl: { url: `data:${part.mediaType};base64,${part.data ?? ""}` } }
}

function thought(think: string, meta: JsonObject | undefined): JsonObject {
  const encrypted = meta?.encrypted
  return { type: "think", think, ...(typeof encrypted === "string" && { encrypted }) }
}
