// What is true and a note may have forgotten: read from the log and the machine, not from the model.
import type { Job } from "../agent/process/jobs.ts"
import { path } from "../history/path.ts"
import { checkpoints, stateAt } from "../history/state.ts"
import type { History, Row } from "../history/tree.ts"
import { windows } from "../history/windows.ts"
import { isObject, type Json } from "../model/json.ts"

const MOST_NAMES = 30

/** Facts for a note that goes back to checkpoint `n` from `head`. */
export function backtrackFacts(history: History, head: Row, n: number, jobs: readonly Job[]): string[] {
  const target = checkpoints(history, head).findLast((checkpoint) => checkpoint.n === n)
  if (target === undefined) return []
  const left = new Set(path(history, head, target.row))
  const changed = new Set<string>()
  for (const window of windows(history)) {
    if (left.has(window.entry)) for (const change of window.changes) changed.add(change.path)
  }
  const facts: string[] = []
  if (changed.size > 0) facts.push(`Files changed after this checkpoint and still changed: ${names([...changed])}`)
  const todos = openTodos(stateAt(history, head, "todos"))
  if (todos.length > 0) facts.push(`Todos that were open: ${names(todos)}`)
  const running = jobs.filter((job) => job.ended === undefined).map((job) => `${job.id} (${job.command})`)
  if (running.length > 0) facts.push(`Still running in the background: ${names(running)}`)
  return facts
}

function openTodos(todos: Json | undefined): string[] {
  if (!Array.isArray(todos)) return []
  return todos.flatMap((todo) =>
    isObject(todo) && typeof todo.text === "string" && todo.status !== "done" ? [todo.text] : [],
  )
}

function names(all: string[]): string {
  const shown = all.slice(0, MOST_NAMES).join(", ")
  return all.length > MOST_NAMES ? `${shown} and ${all.length - MOST_NAMES} more` : shown
}
