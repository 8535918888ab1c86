// What the practice model says: before a step, about its outcome, and about itself.
import { isObject } from "../../model/json.ts"
import { unreachable } from "../../model/unreachable.ts"
import { findings } from "./explore.ts"
import type { Request } from "./request.ts"
import { type MadeCall, type PlannedCall, type RequestWork, textField } from "./work.ts"

export const ANNOUNCEMENT = "I am the practice model: a few fixed rules, not a language model."

export const HELP = `${ANNOUNCEMENT} I understand plain requests, one or several in a prompt:

- create FILE with TEXT
- change A to B in FILE
- read FILE, delete FILE
- run COMMAND
- list files, find PATTERN, search for TEXT in PATH
- explore [N files] [in FOLDER] [for TEXT]: reads many files, then backtracks with a note
- delegate: TASK (a sub-agent; several lines run side by side)
- plan: ONE, TWO, THREE (todos; I do those that I understand)
- backtrack to N: NOTE, call TOOL {"json": "input"}, think about TEXT, count to N, say TEXT

Put text in quotes if it contains words like "then". For real work, choose a model, such as anthropic/claude-sonnet-4-5.`

/** What it says before the calls of a step. */
export function sayBefore(calls: readonly PlannedCall[]): string {
  const [first] = calls
  if (first === undefined) return ""
  const target = (call: PlannedCall) => textField(call, "path") ?? ""
  switch (first.name) {
    case "Read":
      return `Reading ${calls.map(target).join(", ")}.`
    case "Write":
      return `Writing ${target(first)}.`
    case "Edit":
      return isObject(first.input) && first.input.all === true
        ? `It occurs more than once: changing all of them in ${target(first)}.`
        : `Editing ${target(first)}.`
    case "Bash":
      return `Running: ${textField(first, "command")}`
    case "Glob":
      return `Looking for files: ${textField(first, "pattern")}`
    case "Grep":
      return `Searching for ${textField(first, "pattern")}.`
    case "Todo":
      return "Updating the todos."
    case "Task":
      return calls.length === 1 ? "Giving this to a sub-agent." : `Giving this to ${calls.length} sub-agents.`
    case "Backtrack":
      return "Going back to a checkpoint with a note."
    default:
      return `Calling ${first.name}.`
  }
}

/** The outcome of a request, said after its last step. Failures are called failures. */
export function report(work: RequestWork, tools: ReadonlySet<string>): string {
  const { request, steps } = work
  const last = steps.at(-1) ?? []
  const failed = last.filter((made) => made.error === true)
  if (request.do === "explore") return reportExplore(work, tools)
  if (steps.length === 0) return reportWithoutSteps(work)
  if (failed.length > 0) return failed.map((made) => `${nameOf(made)} did not work: ${excerpt(made.output)}`).join("\n")
  switch (request.do) {
    case "create":
      return `Created ${request.path}.`
    case "change":
      return `Changed "${request.old}" to "${request.new}" in ${request.path}.`
    case "delete":
      return `Deleted ${request.path}.`
    case "todos":
      return request.todos.map((todo) => `- [${todo.status === "done" ? "x" : " "}] ${todo.text}`).join("\n")
    case "backtrack":
      return `The backtrack did not happen: ${excerpt(last[0]?.output)}`
    case "read":
    case "run":
    case "find":
    case "search":
    case "delegate":
    case "call":
    case "think":
    case "count":
    case "say":
    case "greet":
    case "help":
    case "unknown":
      return last.map((made) => `${nameOf(made)}:\n${excerpt(made.output)}`).join("\n\n")
    default:
      return unreachable(request)
  }
}

function reportWithoutSteps({ request, note }: RequestWork): string {
  switch (request.do) {
    case "help":
      return HELP
    case "greet":
      return `Hello. Ask me for \`help\` to see what I can do.`
    case "say":
      return request.text
    case "think":
      return `I thought about ${request.about}. That is all a few rules can do.`
    case "count":
      return Array.from({ length: request.to }, (_, index) => index + 1).join(" ")
    case "backtrack":
      return note === undefined ? notOffered(request) : `I am back. My note says: ${note}`
    case "unknown":
      return `I do not understand "${clip(request.text, 80)}". Ask me for \`help\`, or choose a real model.`
    case "create":
    case "change":
    case "read":
    case "delete":
    case "run":
    case "find":
    case "search":
    case "explore":
    case "delegate":
    case "todos":
    case "call":
      return notOffered(request)
    default:
      return unreachable(request)
  }
}

function reportExplore(work: RequestWork, tools: ReadonlySet<string>): string {
  if (work.note !== undefined) return `I explored and went back. My note says:\n${work.note}`
  const list = work.steps[0]?.[0]
  if (list === undefined) return notOffered(work.request)
  if (list.error === true) return `I could not list the files: ${excerpt(list.output)}`
  const last = work.steps.at(-1)?.[0]
  const refused = last?.name === "Backtrack" ? `\nThe backtrack did not happen: ${excerpt(last.output)}` : ""
  const without = tools.has("Read") ? "" : `\n${notOffered(work.request)}`
  return `${findings(work)}${refused}${without}`
}

const NEEDS: Partial<Record<Request["do"], string>> = {
  create: "Write",
  change: "Read and Edit",
  read: "Read",
  delete: "Bash",
  run: "Bash",
  find: "Glob",
  search: "Grep",
  explore: "Glob and Read",
  delegate: "Task",
  todos: "Todo",
  backtrack: "Backtrack",
}

function notOffered(request: Request): string {
  return `I cannot do this here: I was not given ${NEEDS[request.do] ?? "the tool"}.`
}

function nameOf(made: MadeCall): string {
  const fields = ["path", "command", "pattern", "description"]
  const target = fields.map((field) => textField(made, field)).find((value) => value !== undefined)
  return target === undefined ? made.name : `${made.name} ${target}`
}

function excerpt(output: string | undefined): string {
  const lines = (output ?? "(no result)").trimEnd().split("\n")
  const shown = lines.slice(0, 20).map((line) => clip(line, 200))
  return lines.length > 20 ? `${shown.join("\n")}\n… ${lines.length - 20} more lines` : shown.join("\n")
}

function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
