// The practice model's answer to a request for a summary: what the conversation shows, sorted into sections.
import type { ModelMessage } from "../port/port.ts"
import { phraseOf } from "./phrase.ts"
import { parseSummary, printSummary, type Section } from "./summary.ts"
import { report } from "./words.ts"
import { workState } from "./work-state.ts"

const COMPACTED = /^<system>Previous context has been compacted/

/** `messages` excludes the request for the summary itself. An earlier summary among them is carried over. */
export function summarise(messages: readonly ModelMessage[], tools: ReadonlySet<string>): string {
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
