// Reads a conversation from its start: what was requested, what was done about it, what remains. Keeps no state.
import { isObject, type Json } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { ModelMessage } from "../port/port.ts"
import { parseRequests } from "./parse.ts"
import type { Request } from "./request.ts"
import { nextCalls } from "./scripts.ts"
import { pendingOfSummary } from "./summary.ts"
import type { MadeCall, RequestWork, Script } from "./work.ts"

export interface WorkState {
  /** Finished requests of this turn, in order. */
  done: RequestWork[]
  /** What remains; the first is in progress. */
  pending: RequestWork[]
  checkpoint: number | undefined
  tools: ReadonlySet<string>
}

const CHECKPOINT = /^<system>Checkpoint (\d+)\b/
const NOTE = /^<system>[^<]*Note from your future self[^<]*<\/system>\n<note>\n([\s\S]*)\n<\/note>$/
const COMPACTED = /^<system>Previous context has been compacted/
const TAGGED = /^\s*<([a-z][a-z-]*)(?:\s[^>]*)?>[\s\S]*<\/\1>\s*$/
const INTERRUPTED = /interrupted before it ended/

/** The state of the work. The same messages and tools give the same result. */
export function workState(messages: readonly ModelMessage[], tools: ReadonlySet<string>): WorkState {
  const reader = new Reader(tools)
  for (const message of messages) reader.read(message)
  return { done: reader.done, pending: reader.pending, checkpoint: reader.checkpoint, tools }
}

class Reader implements WorkState {
  done: RequestWork[] = []
  pending: RequestWork[] = []
  checkpoint: number | undefined
  readonly tools: ReadonlySet<string>
  #open: MadeCall[] = []
  #fromSummary = false
  #interrupted = false

  constructor(tools: ReadonlySet<string>) {
    this.tools = tools
  }

  read(message: ModelMessage): void {
    switch (message.role) {
      case "system":
        return
      case "assistant":
        this.#answer(message.content)
        return
      case "tool":
        this.#results(message.content)
        this.#texts(message.content)
        return
      case "user":
        this.#texts(message.content)
        return
      default:
        unreachable(message.role)
    }
  }

  #answer(content: readonly Part[]): void {
    const calls = content.filter((part) => part.type === "tool-call")
    this.#open = calls.map(({ call, name, input }) => ({ call, name, input }))
    if (calls.length === 0) {
      this.#clear()
      return
    }
    const work = this.pending[0]
    const expected = work && nextCalls(this.#script(work))
    if (work === undefined || !sameCalls(this.#open, expected ?? [])) return
    if (work.steps.length === 0 && this.checkpoint !== undefined) work.checkpoint = this.checkpoint
    work.steps.push(this.#open)
  }

  #results(content: readonly Part[]): void {
    for (const part of content) {
      if (part.type !== "tool-result") continue
      const made = this.#open.find((open) => open.call === part.call)
      if (made === undefined) continue
      made.output = part.output
      made.error = part.error === true
      if (made.error && INTERRUPTED.test(part.output)) this.#interrupted = true
    }
    this.#settle()
  }

  #texts(content: readonly Part[]): void {
    const texts = content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
    if (COMPACTED.test(texts[0] ?? "")) {
      this.#clear()
      this.#add(pendingOfSummary(texts[1] ?? ""), true)
      return
    }
    for (const text of texts) this.#text(text)
  }

  #text(text: string): void {
    const checkpoint = CHECKPOINT.exec(text)
    const note = NOTE.exec(text)
    if (checkpoint !== null) this.checkpoint = Number(checkpoint[1])
    else if (note !== null) this.#note(note[1] ?? "")
    else if (!TAGGED.test(text) && text.trim() !== "") this.#ask(text)
  }

  #ask(text: string): void {
    const goesOn = /^\s*(?:continue|go on)\b/i.test(text)
    if (this.#interrupted && !goesOn) this.#clear()
    this.#interrupted = false
    if (goesOn && this.pending.length > 0) return
    if (this.#fromSummary) this.pending = []
    this.#add(parseRequests(text), false)
  }

  #note(note: string): void {
    const work = this.pending[0]
    if (work === undefined || (work.request.do !== "explore" && work.request.do !== "backtrack")) return
    work.note = note
    this.#settle()
  }

  #add(requests: readonly Request[], fromSummary: boolean): void {
    this.#fromSummary = fromSummary
    this.pending.push(...requests.map((request) => ({ request, steps: [] })))
    this.#settle()
  }

  /** Moves what is finished from `pending` to `done`. */
  #settle(): void {
    for (let work = this.pending[0]; work !== undefined; work = this.pending[0]) {
      if (nextCalls(this.#script(work)) !== undefined) return
      this.pending.shift()
      this.done.push(work)
    }
  }

  #clear(): void {
    this.done = []
    this.pending = []
    this.#fromSummary = false
  }

  #script(work: RequestWork): Script {
    return { work, checkpoint: work.checkpoint ?? this.checkpoint, tools: this.tools }
  }
}

function sameCalls(made: readonly MadeCall[], expected: readonly { name: string; input: Json }[]): boolean {
  const text = (calls: readonly { name: string; input: Json }[]) =>
    JSON.stringify(calls.map(({ name, input }) => [name, sorted(input)]))
  return text(made) === text(expected)
}

/** A store may change the order of an object's fields. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
