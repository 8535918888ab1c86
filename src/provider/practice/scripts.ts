// What to call next for a request, given its steps so far. If nothing is left to call, it is finished.
import { unreachable } from "../../model/unreachable.ts"
import { exploreCalls } from "./explore.ts"
import type { MadeCall, PlannedCall, Script } from "./work.ts"

/** Contract: pure; ends after finitely many steps whatever the tools return. Calls only tools that are offered. */
export function nextCalls(script: Script): PlannedCall[] | undefined {
  const calls = wantedCalls(script)
  const asked = script.work.request.do === "call"
  return calls?.every((call) => asked || script.tools.has(call.name)) ? calls : undefined
}

function wantedCalls(script: Script): PlannedCall[] | undefined {
  const { request, steps, note } = script.work
  switch (request.do) {
    case "create":
      return createCalls(steps, request)
    case "change":
      return changeCalls(steps, request)
    case "read":
      return once(steps, ...request.paths.map((path) => ({ name: "Read", input: { path } })))
    case "delete":
      return once(steps, { name: "Bash", input: { command: `rm -- ${shellWord(request.path)}` } })
    case "run":
      return once(steps, { name: "Bash", input: { command: request.command } })
    case "find":
      return once(steps, {
        name: "Glob",
        input: { pattern: request.pattern, ...(request.path && { path: request.path }) },
      })
    case "search":
      return once(steps, {
        name: "Grep",
        input: { pattern: request.pattern, ...(request.path && { path: request.path }) },
      })
    case "explore":
      return note === undefined ? exploreCalls(script, request) : undefined
    case "delegate":
      return once(
        steps,
        ...request.tasks.map((task) => ({ name: "Task", input: { description: describe(task), prompt: task } })),
      )
    case "todos":
      return once(steps, {
        name: "Todo",
        input: { todos: request.todos.map(({ text, status }) => ({ text, status })) },
      })
    case "backtrack":
      return note === undefined ? once(steps, backtrackCall(request)) : undefined
    case "call":
      return once(steps, {
        name: request.name,
        input: request.input,
        ...(request.invalid !== undefined && { invalid: request.invalid }),
      })
    case "think":
    case "count":
    case "say":
    case "greet":
    case "help":
    case "unknown":
      return undefined
    default:
      return unreachable(request)
  }
}

function once(steps: readonly MadeCall[][], ...calls: PlannedCall[]): PlannedCall[] | undefined {
  return steps.length === 0 ? calls : undefined
}

/** Writes; if the tool says to read the file first, reads it and writes again. */
function createCalls(
  steps: readonly MadeCall[][],
  request: { path: string; content: string },
): PlannedCall[] | undefined {
  const write = { name: "Write", input: { path: request.path, content: request.content } }
  const first = steps[0]?.[0]
  if (first === undefined) return [write]
  if (first.error !== true || !/\bread\b/i.test(first.output ?? "")) return undefined
  if (steps.length === 1) return [{ name: "Read", input: { path: request.path } }]
  return steps.length === 2 && steps[1]?.[0]?.error !== true ? [write] : undefined
}

const SEVERAL_TIMES = /unique|more than once|several|multiple|\b(?:[2-9]|\d\d+) (?:times|places|matches|occurrences)/i

/** Reads, then edits; if the text occurs more than once, changes all occurrences. */
function changeCalls(
  steps: readonly MadeCall[][],
  request: { path: string; old: string; new: string },
): PlannedCall[] | undefined {
  const edit = { path: request.path, old: request.old, new: request.new }
  const last = steps.at(-1)?.[0]
  if (last === undefined) return [{ name: "Read", input: { path: request.path } }]
  if (steps.length === 1) return last.error === true ? undefined : [{ name: "Edit", input: edit }]
  const severalTimes = last.error === true && SEVERAL_TIMES.test(last.output ?? "")
  return steps.length === 2 && severalTimes ? [{ name: "Edit", input: { ...edit, all: true } }] : undefined
}

function backtrackCall(request: { checkpoint: number; note: string; restore: boolean }): PlannedCall {
  const input = { checkpoint_id: request.checkpoint, note: request.note }
  return { name: "Backtrack", input: request.restore ? { ...input, restore_files: true } : input }
}

function describe(task: string): string {
  const words = task.split(/\s+/).slice(0, 6).join(" ")
  return words.length > 60 ? `${words.slice(0, 59)}…` : words
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
