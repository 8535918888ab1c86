// Writes the lines of a session for Kimi Code: every message of a path, no matter who made it.
import { interruptedResult } from "../../history/context/tool-calls.ts"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import type { Origin } from "../../model/record/origin.ts"
import { isPrompt } from "../../model/record/prompt.ts"
import type { Part, ToolResultPart } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { millis } from "../shared/json-line.ts"
import { summaryText } from "../shared/step-parts.ts"
import { type PathStep, type PathStepOf, type WholePath, wholePath } from "../shared/whole-path.ts"
import { linesOf } from "../shared/writer-basics.ts"
import { MAIN } from "./place.ts"
import { supersededIn } from "./superseded.ts"

const KINDS: Readonly<Partial<Record<Origin, JsonObject>>> = {
  prompt: { kind: "user" },
  steer: { kind: "user", inTurn: true },
  shell: { kind: "shell_command", phase: "input" },
  hook: { kind: "hook_result", event: "retcon" },
  retry: { kind: "retry" },
}

export class WireWriter {
  readonly #request: WriteRequest
  readonly #path: WholePath
  readonly #lines: JsonObject[] = []
  /** How many messages come before each step. */
  readonly #before: number[] = []
  #messages = 0
  /** How many of them the model no longer gets, minus the summary that replaces them. */
  #gone = 0
  #turn = 0
  /** The calls that have no result yet. */
  readonly #open = new Map<string, { call: string; name: string }>()

  constructor(request: WriteRequest) {
    this.#request = request
    this.#path = wholePath(request.entries)
  }

  get lost(): Written["lost"] {
    return this.#path.lost
  }

  write(): Uint8Array {
    const { now } = this.#request
    const superseded = supersededIn(this.#path)
    for (const [i, step] of this.#path.steps.entries()) {
      if (step.type !== "results") this.#close(step.at)
      this.#before.push(this.#messages)
      if (superseded.has(i)) this.#lose(step.entry, "a summary: a later one keeps messages from before it")
      else this.#step(step)
    }
    this.#close(now)
    return linesOf([{ type: "metadata", protocol_version: "1.5", created_at: millis(now) }, ...this.#lines])
  }

  #step(step: PathStep): void {
    if (step.type === "user") this.#said(step)
    else if (step.type === "answer") this.#answer(step)
    else if (step.type === "results") this.#results(step)
    else this.#compaction(step)
  }

  #said({ entry, at, origin, turn, display, content: parts }: PathStepOf<"user">): void {
    const content = this.#parts(parts, entry)
    const asked = isPrompt({ role: "user", origin, turn })
    const by = (asked ? KINDS.prompt : KINDS[origin]) ?? { kind: "injection", variant: "retcon" }
    const id = `msg_${this.#request.newId()}`
    if (asked) this.#add(at, { type: "turn.prompt", input: content, origin: by, promptId: id, turnId: this.#turn++ })
    // The program ignores this field, which records what its own kinds cannot.
    const retcon = { origin, ...(turn && { turn }), ...(display !== undefined && { display }) }
    this.#message(at, { role: "user", content, id, toolCalls: [], origin: by }, { retcon })
  }

  #answer({ entry, at, content }: PathStepOf<"answer">): void {
    const calls = content.filter((part) => part.type === "tool-call")
    for (const { call, name } of calls) this.#open.set(call, { call, name })
    const toolCalls = calls.map(({ call, name, input }) => ({
      type: "function",
      id: call,
      name,
      arguments: JSON.stringify(input),
    }))
    this.#message(at, { role: "assistant", content: this.#parts(content, entry), toolCalls })
  }

  #results({ entry, at, results }: PathStepOf<"results">): void {
    for (const result of results) {
      if (this.#open.has(result.call)) this.#result(result, at, entry)
      else this.#lose(entry, "a result whose call is missing")
    }
  }

  #result(part: ToolResultPart, at: string, entry: EntryId | undefined): void {
    this.#open.delete(part.call)
    const content = [{ type: "text", text: part.output ?? "" }, ...this.#parts(part.media ?? [], entry)]
    // With its own field for it, the program would put its own words before a failed result.
    const retcon = { ...(part.error === true && { error: true }) }
    this.#message(at, { role: "tool", content, toolCalls: [], toolCallId: part.call }, { retcon })
  }

  /** Kimi Code would wait for the results of calls that have none. */
  #close(at: string): void {
    for (const call of Array.from(this.#open.values())) {
      const result = interruptedResult(call)
      if (result.type === "tool-result") this.#result(result, at, undefined)
    }
  }

  /** In the older form, where the kept messages follow the summary unchanged. */
  #compaction(step: PathStepOf<"compaction">): void {
    const { summary, keepFrom } = step.record
    const from = keepFrom === null ? undefined : this.#path.stepOf.get(keepFrom)
    const kept = (from === undefined ? undefined : this.#before[from]) ?? this.#messages
    const compactedCount = Math.max(0, kept - this.#gone)
    const contextSummary = summaryText(step)
    this.#add(step.at, { type: "context.apply_compaction", summary, contextSummary, compactedCount, legacyTail: true })
    this.#gone = Math.max(kept, this.#gone) - 1
  }

  #message(at: string, message: JsonObject, more: JsonObject = {}): void {
    this.#messages++
    this.#add(at, { type: "context.append_message", message, ...more })
  }

  #add(at: string, { type, ...rest }: JsonObject): void {
    this.#lines.push({ type: type ?? "", agentId: MAIN, ...rest, time: millis(at) })
  }

  #parts(parts: readonly Part[], entry: EntryId | undefined): JsonObject[] {
    return parts.flatMap((part) => {
      const found = partIn(part)
      if (found !== undefined) return [found]
      if (entry !== undefined && part.type !== "tool-call") this.#lose(entry, `a part of type "${part.type}"`)
      return []
    })
  }

  #lose(entry: EntryId, what: string): void {
    this.lost.push({ entry, what })
  }
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
