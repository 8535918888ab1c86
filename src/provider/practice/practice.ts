// The practice model: deterministic rules behind the model port, for a machine without a key or a network.
import { createHash } from "node:crypto"
import type { Part, ToolCallPart } from "../../model/record/record.ts"
import { textTokens } from "../../model/tokens.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { FinishReason, Model, ModelEvent, ModelMessage, StepRequest } from "../port/port.ts"
import type { Request } from "./request.ts"
import { nextCalls } from "./scripts.ts"
import { beforeSummaryRequest, parseSummary, printSummary, type Section } from "./summary.ts"
import { ANNOUNCEMENT, report, sayBefore } from "./words.ts"
import type { PlannedCall } from "./work.ts"
import { type WorkState, workState } from "./work-state.ts"

export const PRACTICE = "practice/rules"

export interface PracticeOptions {
  /** Waits between two words; instant without it. Must end when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  window?: number
}

const WORD_MS = 18

export function practiceModel(options: PracticeOptions = {}): Model {
  return {
    id: PRACTICE,
    window: options.window ?? 128_000,
    maxOutput: undefined,
    price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    step: (request) => stepEvents(request, options),
  }
}

/** What the practice model answers, before it is streamed. */
export function practiceAnswer(request: Pick<StepRequest, "messages" | "tools">): {
  reason: FinishReason
  content: Part[]
} {
  const tools = new Set(request.tools.map((tool) => tool.name))
  const toSummarise = beforeSummaryRequest(request.messages)
  if (toSummarise !== undefined) return { reason: "stop", content: [textPart(summarise(toSummarise, tools))] }
  const view = workState(request.messages, tools)
  const work = view.pending[0]
  const calls = work && nextCalls({ work, checkpoint: work.checkpoint ?? view.checkpoint, tools })
  if (calls === undefined) return { reason: "stop", content: finalContent(view, request.messages) }
  const said = announced(request.messages) ? sayBefore(calls) : `${ANNOUNCEMENT} ${sayBefore(calls)}`
  return { reason: "tool-calls", content: [textPart(said), ...callParts(calls, request.messages)] }
}

function finalContent(view: WorkState, messages: readonly ModelMessage[]): Part[] {
  const understood = view.done.filter(({ request }) => request.do !== "unknown")
  const told = understood.length > 0 ? understood : view.done.slice(-1)
  const thoughts = told.flatMap(({ request }): Part[] =>
    request.do === "think"
      ? [{ type: "reasoning", text: `Let me think about ${request.about}. I have only rules.` }]
      : [],
  )
  const lastTodos = told.findLast(({ request }) => request.do === "todos")
  const reports = told.filter((work) => work.request.do !== "todos" || work === lastTodos)
  const text = reports.map((work) => report(work, view.tools)).join("\n\n")
  const fallback = text === "" ? "There is nothing to do. Ask me for `help`." : text
  const introduce = !announced(messages) && !fallback.includes(ANNOUNCEMENT)
  return [...thoughts, textPart(introduce ? `${ANNOUNCEMENT}\n\n${fallback}` : fallback)]
}

function announced(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, content }) =>
      role === "assistant" && content.some((part) => part.type === "text" && (part.text ?? "").includes(ANNOUNCEMENT)),
  )
}

/** Ids follow from the conversation: the same step always gets the same ids, and other steps get others. */
function callParts(calls: readonly PlannedCall[], messages: readonly ModelMessage[]): Part[] {
  const hash = createHash("sha256").update(JSON.stringify(messages)).digest("hex").slice(0, 12)
  return calls.map(({ name, input }, index) => ({ type: "tool-call", call: `practice-${hash}-${index}`, name, input }))
}

async function* stepEvents(request: StepRequest, options: PracticeOptions): AsyncGenerator<ModelEvent> {
  const { reason, content } = practiceAnswer(request)
  const wait = async () => {
    const { signal } = request
    // A sleep that the signal cuts short may reject; either way the signal says what happened.
    if (!signal.aborted) await options.sleep?.(WORD_MS, signal).catch(() => signal.aborted)
    return signal.aborted
  }
  for (const part of content) {
    if (part.type !== "text" && part.type !== "reasoning") continue
    yield { type: `${part.type}-start` }
    for (const text of part.text.match(/\s*\S+\s*/g) ?? []) {
      if (await wait()) break
      yield { type: `${part.type}-delta`, text }
    }
    yield { type: `${part.type}-end` }
    if (request.signal.aborted) return yield ABORTED
  }
  if (await wait()) return yield ABORTED
  for (const part of content) if (part.type === "tool-call") yield callEvent(part)
  yield { type: "finish", reason, content, usage: usageOf(request, content) }
}

const ABORTED: ModelEvent = { type: "failed", problem: { kind: "aborted", message: "Stopped." } }

function callEvent({ call, name, input }: ToolCallPart): ModelEvent {
  const event = { type: "tool-call", call, name, input } as const
  return typeof input === "string" ? { ...event, invalid: "The input is not JSON." } : event
}

function usageOf(request: StepRequest, content: readonly Part[]): { input: number; output: number } {
  const tokens = (value: unknown) => textTokens(JSON.stringify(value))
  return { input: tokens(request.messages) + tokens(request.tools), output: tokens(content) }
}

function textPart(text: string): Part {
  return { type: "text", text }
}

const COMPACTED = /^<system>Previous context has been compacted/

/**
 * The practice model's answer to a request for a summary: what the conversation shows, sorted into sections. `messages`
 * excludes the request for the summary itself. An earlier summary among them is carried over.
 */
function summarise(messages: readonly ModelMessage[], tools: ReadonlySet<string>): string {
  const earlier = parseSummary(earlierSummary(messages))
  const view = workState(messages, tools)
  const prompts = promptsOf(messages)
  const exploring = view.pending.filter(({ request, steps }) => request.do === "explore" && steps.length > 0)
  const pending = view.pending.filter((work) => !exploring.includes(work)).map(({ request }) => phraseOf(request))
  const files = filesOf(messages)
  const add = (section: Section, lines: readonly string[]) => [...new Set([...(earlier.get(section) ?? []), ...lines])]
  return printSummary(
    new Map([
      ["Goal", add("Goal", prompts.slice(-1))],
      ["Constraints", add("Constraints", [])],
      ["Done", add("Done", [...answersOf(messages), ...exploring.map((work) => oneLine(report(work, tools)))])],
      ["In progress", pending],
      ["Decisions", add("Decisions", [])],
      ["Next step", pending.slice(0, 1)],
      ["Files read", add("Files read", files.read)],
      ["Files changed", add("Files changed", files.changed)],
    ]),
  )
}

function earlierSummary(messages: readonly ModelMessage[]): string {
  const texts = messages.map(textsOf).find((parts) => COMPACTED.test(parts[0] ?? ""))
  return texts?.[1] ?? ""
}

function promptsOf(messages: readonly ModelMessage[]): string[] {
  const users = messages.filter((message) => message.role === "user").map(textsOf)
  const prompts = users.filter((parts) => !COMPACTED.test(parts[0] ?? "")).flat()
  return prompts.filter((text) => !text.startsWith("<")).map(oneLine)
}

function answersOf(messages: readonly ModelMessage[]): string[] {
  const answers = messages.filter((message) => message.role === "assistant").flatMap(textsOf)
  return answers.map(oneLine).filter((text) => text !== "")
}

function filesOf(messages: readonly ModelMessage[]): { read: string[]; changed: string[] } {
  const files = { read: [] as string[], changed: [] as string[] }
  for (const part of messages.flatMap((message) => message.content)) {
    if (part.type !== "tool-call" || typeof part.input !== "object" || part.input === null) continue
    const path = Array.isArray(part.input) ? undefined : part.input.path
    if (typeof path !== "string") continue
    if (part.name === "Read") files.read.push(oneLine(path))
    else if (part.name === "Write" || part.name === "Edit") files.changed.push(oneLine(path))
  }
  return files
}

function textsOf(message: ModelMessage): string[] {
  return message.content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim()
  return line.length > 300 ? `${line.slice(0, 299)}…` : line
}

/** A request in words that parse to the same request again, on one line. */
export function phraseOf(request: Request): string {
  switch (request.do) {
    case "create":
      return `create ${word(request.path)} with ${quoted(request.content)}`
    case "change":
      return `change ${quoted(request.old)} to ${quoted(request.new)} in ${word(request.path)}`
    case "read":
      return `read ${request.paths.map(word).join(", ")}`
    case "delete":
      return `delete ${word(request.path)}`
    case "run":
      return `run ${quoted(request.command)}`
    case "find":
      return `find ${word(request.pattern)}${within(request.path)}`
    case "search":
      return `search for ${quoted(request.pattern)}${within(request.path)}`
    case "explore":
      return `explore ${request.files} files${within(request.path)}${request.fact ? ` for ${quoted(request.fact)}` : ""}`
    case "delegate":
      return `delegate: ${request.tasks.join(" / ").replaceAll("\n", " ")}`
    case "todos":
      return `plan: ${request.todos.map((todo) => todo.text).join(", ")}`
    case "backtrack":
      return `backtrack to ${request.checkpoint}: ${request.note.replaceAll("\n", " ")}`
    case "call":
      return `call ${request.name} ${typeof request.input === "string" ? request.input : JSON.stringify(request.input)}`
    case "think":
      return `think about ${quoted(request.about)}`
    case "count":
      return `count to ${request.to}`
    case "say":
      return `say ${quoted(request.text)}`
    case "greet":
      return "hello"
    case "help":
      return "help"
    case "unknown":
      return request.text.replaceAll("\n", " ")
    default:
      return unreachable(request)
  }
}

function word(text: string): string {
  return /^[\w./*@-]+$/.test(text) ? text : quoted(text)
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`
}

function within(path: string | undefined): string {
  return path === undefined ? "" : ` in ${word(path)}`
}
