// A path of the tree in the form that other agents write: whole answers, each followed by the results of its calls.
import { compactionMessages } from "../../history/context/compaction-messages.ts"
import { noteTexts } from "../../history/context/marks.ts"
import type { ContextMessage } from "../../history/context/message.ts"
import { inOrderOfCalls } from "../../history/context/tool-calls.ts"
import type { EntryId } from "../../model/id.ts"
import type { Origin } from "../../model/record/origin.ts"
import type { CompactionRecord, Entry, MessageRecord, Part, ToolResultPart, Usage } from "../../model/record/record.ts"
import { LEFT_OUT_KEY, SYSTEM_KEY } from "../../model/record/state-key.ts"
import type { Written } from "../port.ts"

/** `entry`: the first entry that it is made from. */
export type PathStep = { entry: EntryId; at: string } & (
  | { type: "user"; origin: Origin; turn: boolean; content: Part[]; display?: string }
  | { type: "answer"; content: Part[]; model?: string; usage?: Usage }
  | { type: "results"; results: ToolResultPart[] }
  | { type: "compaction"; record: CompactionRecord; messages: ContextMessage[] }
)

export type PathStepOf<Type extends PathStep["type"]> = Extract<PathStep, { type: Type }>

export interface WholePath {
  steps: PathStep[]
  /** The step that each entry is part of, or that follows it. */
  stepOf: Map<EntryId, number>
  lost: Written["lost"]
}

/**
 * Contract: parts are texts, images, reasoning and calls, plus files if the format has a place for them. Everything else goes into
 * `lost`, as does the system prompt.
 */
export function wholePath(entries: Iterable<Entry>, files: "kept" | "lost" = "lost"): WholePath {
  const reader = new PathReader(files)
  for (const entry of entries) reader.add(entry)
  return reader
}

class PathReader implements WholePath {
  readonly steps: PathStep[] = []
  readonly stepOf = new Map<EntryId, number>()
  readonly lost: Written["lost"] = []
  /** The answer whose pieces and results are being collected. */
  #answer: { name: string | undefined; step: number; results: ToolResultPart[] | undefined } | undefined
  #system = false
  readonly #files: "kept" | "lost"

  constructor(files: "kept" | "lost") {
    this.#files = files
  }

  add(entry: Entry): void {
    this.stepOf.set(entry.id, this.steps.length)
    if (entry.type === "message") this.#message(entry)
    else if (entry.type === "note") this.#aside(entry, noteTexts(entry), "note")
    else if (entry.type === "merge")
      this.#aside(entry, [entry.display ?? `From another branch: ${entry.text}`], "injection")
    else if (entry.type === "compaction") {
      this.#push({
        type: "compaction",
        entry: entry.id,
        at: entry.at,
        record: entry,
        messages: compactionMessages(entry),
      })
    } else if (entry.type === "unknown-entry") {
      if (entry.own !== true) this.#lose(entry.id, "an entry of a kind that retcon does not know")
    } else if (entry.type === "state" && entry.key === LEFT_OUT_KEY) {
      this.#lose(entry.id, "that content which a provider refuses is left out")
    } else if (entry.type === "state" && entry.key === SYSTEM_KEY && !this.#system) {
      this.#system = true
      this.#lose(entry.id, "the system prompt: every agent has its own")
    }
  }

  #message(entry: MessageRecord): void {
    if (entry.dropped === true) {
      this.#lose(entry.id, "a message that its agent no longer sends")
      return
    }
    const content = entry.content.filter((part) => this.#holds(entry.id, part))
    if (entry.role === "assistant") this.#piece(entry, content)
    else if (entry.role === "tool") this.#results(entry, content)
    else this.#said(entry, content)
  }

  #said({ id, at, origin, turn, display }: MessageRecord, content: Part[]): void {
    if (content.length === 0) return
    this.#push({
      type: "user",
      entry: id,
      at,
      origin,
      turn: turn === true,
      content,
      ...(display !== undefined && { display }),
    })
  }

  /** Adds a piece. Some agents write an answer in pieces, with results of its calls in between. */
  #piece({ id, at, answer, model, usage }: MessageRecord, content: Part[]): void {
    const known = answer === undefined || answer !== this.#answer?.name ? undefined : this.#answer
    const step = known === undefined ? undefined : this.steps[known.step]
    if (known !== undefined && step?.type === "answer") {
      step.content.push(...content)
      this.stepOf.set(id, known.step)
    } else if (content.length > 0) {
      const said = { ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) }
      this.#push({ type: "answer", entry: id, at, content, ...said })
      this.#answer = { name: answer, step: this.steps.length - 1, results: undefined }
    }
  }

  #results(entry: MessageRecord, content: Part[]): void {
    const results = content.filter((part) => part.type === "tool-result")
    if (this.#answer !== undefined && results.length > 0) {
      const answer = this.#answer
      if (answer.results !== undefined) answer.results.push(...results)
      else this.#push({ type: "results", entry: entry.id, at: entry.at, results })
      const all = answer.results ?? results
      const said = this.steps[answer.step]
      const own = entry.answer !== undefined && entry.answer === answer.name && said?.type === "answer"
      if (own) all.splice(0, all.length, ...(inOrderOfCalls(all, said.content) as ToolResultPart[]))
      this.#answer = { ...answer, results: all }
    } else if (results.length > 0) this.#lose(entry.id, "results whose calls are missing")
    const rest = content.filter((part) => part.type !== "tool-result")
    if (rest.length > 0) this.#said({ ...entry, origin: "injection" }, rest)
  }

  #aside({ id, at }: Entry, texts: readonly string[], origin: Origin): void {
    const content = texts.map((text): Part => ({ type: "text", text }))
    this.#push({ type: "user", entry: id, at, origin, turn: false, content })
  }

  #push(step: PathStep): void {
    this.#answer = undefined
    this.steps.push(step)
  }

  #holds(entry: EntryId, part: Part): boolean {
    // A text that was moved out of the record is not available.
    if (part.type === "text") return (part.text ?? "") !== ""
    if (part.type === "file" && this.#files === "kept") return true
    if (part.type === "file") this.#lose(entry, `the file ${part.name ?? part.mediaType}`)
    else if (part.type === "unknown") this.#lose(entry, "a part of a kind that retcon does not know")
    else return true
    return false
  }

  #lose(entry: EntryId, what: string): void {
    this.lost.push({ entry, what })
  }
}
