// Facts that a note may have omitted: read from the log and the machine, not from the model.
import type { BackgroundJob } from "../../agent/process/jobs.ts"
import { spansToRestore } from "../../history/files/applied-changes.ts"
import { checkpoints, stateAt } from "../../history/tree/state.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import { isObject, type Json } from "../../model/json.ts"
import { TODOS_KEY } from "../../model/record/state-key.ts"

const MOST_NAMES = 30

export interface BacktrackFacts {
  /** True in any case. */
  facts: string[]
  /** True unless the files are taken back too. */
  ofFiles: string[]
}

/** Facts for a note that goes back to checkpoint `n` from `head`. */
export function backtrackFacts(history: History, head: Row, n: number, jobs: readonly BackgroundJob[]): BacktrackFacts {
  const target = checkpoints(history, head).findLast((checkpoint) => checkpoint.n === n)
  if (target === undefined) return { facts: [], ofFiles: [] }
  const changed = stillChanged(history, target.row)
  const facts: string[] = []
  const todos = openTodos(stateAt(history, head, TODOS_KEY))
  if (todos.length > 0) facts.push(`Todos that were open: ${names(todos)}`)
  const running = jobs.filter((job) => job.ended === undefined).map((job) => `${job.id} (${job.command})`)
  if (running.length > 0) facts.push(`Still running in the background: ${names(running)}`)
  const ofFiles =
    changed.length === 0 ? [] : [`Files changed after this checkpoint and still changed: ${names(changed)}`]
  return { facts, ofFiles }
}

/** On branches left since then, too; excluding files that came and went again. */
function stillChanged(history: History, target: Row): string[] {
  const net = new Map<string, string>()
  for (const span of spansToRestore(history, { entry: target }).takeBack.toReversed()) {
    for (const { path, change } of span.changes) {
      if (change === "deleted" && net.get(path) === "added") net.delete(path)
      else if (!net.has(path)) net.set(path, change)
    }
  }
  return [...net.keys()]
}

function openTodos(todos: Json | undefined): string[] {
  if (!Array.isArray(todos)) return []
  return todos.flatMap((todo) =>
    isObject(todo) && typeof todo.text === "string" && todo.status !== "done" ? [todo.text] : [],
  )
}

/** A list, cut if it gets too long. */
export function names(all: string[]): string {
  const shown = all.slice(0, MOST_NAMES).join(", ")
  return all.length > MOST_NAMES ? `${shown} and ${all.length - MOST_NAMES} more` : shown
}
