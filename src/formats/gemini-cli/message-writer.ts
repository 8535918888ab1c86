// Writes a conversation as Gemini CLI messages, with results beside the calls of their answer.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { type Part, plainText, type ToolCallPart, type ToolResultPart } from "../../model/record/record.ts"
import type { Written } from "../port.ts"
import { listField } from "../shared/json-line.ts"
import { isTyped, summaryText, wrappedInput } from "../shared/step-parts.ts"
import type { PathStep, PathStepOf, WholePath } from "../shared/whole-path.ts"
import { randomUuid, textIn } from "../shared/writer-basics.ts"
import { authorOf, isLeftOut, SNAPSHOT, THANKS } from "./message.ts"

const OWN_CONTEXT = "<session_context>"
const NOT_SENT =
  "a message that begins with / or ?, or like its own contexts: Gemini CLI does not send it when it resumes"

export class MessageWriter {
  readonly lines: JsonObject[] = []
  readonly lost: Written["lost"]
  readonly #path: WholePath
  /** The messages that each step became, for a summary that keeps them. */
  readonly #messages: JsonObject[][] = []
  /** Messages that nobody typed are put in front of the next prompt, because on their own they would look like prompts. */
  #before: { step: PathStepOf<"user">; parts: Json[] }[] = []
  #calls: JsonObject[] = []

  constructor(path: WholePath) {
    this.#path = path
    this.lost = [...path.lost]
    for (const step of path.steps) {
      this.#messages.push([])
      this.#add(step)
    }
    this.#end()
  }

  #add(step: PathStep): void {
    if (step.type === "results") for (const result of step.results) this.#result(step, result)
    else if (step.type === "compaction") this.#summary(step)
    else if (step.type === "answer") this.#say(step)
    else this.#ask(step)
  }

  #end(): void {
    for (const { step, parts } of this.#before) {
      this.#tell(step, marked(message(step, "user", parts), step.origin))
      this.lost.push({ entry: step.entry, what: "that nobody typed it" })
    }
    this.#before = []
  }

  #ask(step: PathStepOf<"user">): void {
    const parts = step.content.flatMap(printPart)
    if (!isTyped(step)) {
      // In front of a prompt it would be taken for the whole message, and the program adds its own anyway.
      if (plainText(step.content).startsWith(OWN_CONTEXT))
        this.lost.push({ entry: step.entry, what: "what Gemini CLI says about the folder: it adds that again" })
      else this.#before.push({ step, parts })
      return
    }
    const before = this.#before.flatMap((each) => each.parts)
    this.#before = []
    const typed = step.display ?? plainText(step.content)
    const shown = before.length > 0 || step.display !== undefined
    const said = {
      ...message(step, "user", [...before, ...parts]),
      ...(shown && { displayContent: [{ text: typed }] }),
    }
    this.#tell(step, marked(said, step.turn ? "prompt" : step.origin))
  }

  #tell({ entry }: PathStep, said: JsonObject): void {
    this.#push(said)
    if (isLeftOut(said)) this.lost.push({ entry, what: NOT_SENT })
  }

  #say(step: PathStepOf<"answer">): void {
    this.#end()
    this.#calls = step.content.flatMap((part): JsonObject[] =>
      part.type === "tool-call" ? [{ ...callOf(part), status: "success", timestamp: step.at }] : [],
    )
    const { input = 0, output = 0, cacheRead = 0 } = step.usage ?? {}
    const total = input + cacheRead + output
    const tokens = { input: input + cacheRead, output, cached: cacheRead, thoughts: 0, tool: 0, total }
    this.#push({
      ...message(step, "gemini", step.content.flatMap(printPart)),
      ...(step.model !== undefined && { model: step.model }),
      ...(step.usage !== undefined && { tokens }),
      ...(this.#calls.length > 0 && { toolCalls: this.#calls }),
    })
  }

  #result({ entry }: PathStep, result: ToolResultPart): void {
    const call = this.#calls.find(({ id }) => id === result.call)
    if (call === undefined) {
      this.lost.push({ entry, what: "results whose calls are missing" })
      return
    }
    // Images stand beside the response: not every model takes them inside it.
    call.result = [responseOf(result, call.name as string), ...(result.media ?? []).flatMap(printPart)]
    if (result.error === true) call.status = "error"
  }

  /** As `/compress` leaves it: a list with the summary, and what was kept after it, replaces all messages. */
  #summary(step: PathStepOf<"compaction">): void {
    this.#end()
    const { keepFrom } = step.record
    const from = keepFrom === null ? undefined : this.#path.stepOf.get(keepFrom)
    const kept = from === undefined ? [] : this.#messages.slice(from).flat().flatMap(withoutThoughts)
    const summary = {
      ...message(step, "user", [{ text: snapshotOf(summaryText(step)) }]),
      retcon: { origin: "summary" },
    }
    const thanks = { id: randomUuid(step.entry), timestamp: step.at, type: "gemini", content: [{ text: THANKS }] }
    this.lines.push({ $set: { messages: [summary, thanks, ...kept] } })
  }

  #push(said: JsonObject): void {
    this.lines.push(said)
    this.#messages.at(-1)?.push(said)
  }
}

/** Gemini CLI's own mark around a summary, if it would leave this one out otherwise. */
function snapshotOf(summary: string): string {
  return isLeftOut({ type: "user", content: summary }) ? `${SNAPSHOT}\n${summary}\n</state_snapshot>` : summary
}

function message({ entry, at }: PathStep, type: "user" | "gemini", content: Json[]): JsonObject {
  return { id: entry, timestamp: at, type, content }
}

/** Thoughts belong to what came before them, which the summary replaces. */
function withoutThoughts(said: JsonObject): JsonObject[] {
  const content = listField(said, "content").filter((part) => !isObject(part) || part.thought !== true)
  return content.length === 0 ? [] : [{ ...said, content }]
}

/** Marks the origin if the text alone would suggest another. */
function marked(said: JsonObject, origin: string): JsonObject {
  return authorOf(said)?.origin === origin ? said : { ...said, retcon: { origin } }
}

function printPart(part: Part): Json[] {
  if (part.type === "text") return [{ text: textIn(part) }]
  if (part.type === "reasoning") return [{ text: textIn(part), thought: true }]
  if (part.type === "tool-call") return [{ functionCall: callOf(part) }]
  if (part.type === "image" || part.type === "file")
    return [{ inlineData: { mimeType: part.mediaType, data: part.data ?? "" } }]
  return []
}

function callOf({ call, name, input: asked }: ToolCallPart): JsonObject {
  const { input, ...mark } = wrappedInput(asked)
  return { id: call, name, args: input, ...mark }
}

function responseOf(part: ToolResultPart, name: string): Json {
  const response = part.error === true ? { error: part.output ?? "" } : { output: part.output ?? "" }
  return { functionResponse: { id: part.call, name: part.name ?? name, response } }
}
