// The agent goes back to a checkpoint, once all calls of the step have ended.
import type { BacktrackRequest } from "../../agent/port/tool.ts"
import type { BackgroundJob } from "../../agent/process/jobs.ts"
import { spansToRestore } from "../../history/files/applied-changes.ts"
import { checkpoints, stateAt } from "../../history/tree/state.ts"
import { type History, path, type Row } from "../../history/tree/tree.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { isObject, type Json } from "../../model/json.ts"
import { TODOS_KEY } from "../../model/record/state-key.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { TurnBudget, TurnConversation, TurnMachine, TurnPerson } from "../port/turn-deps.ts"
import { entryTokens } from "../window/context-size.ts"

export type BacktrackDeps = Pick<TurnConversation, "session"> &
  Pick<TurnBudget, "meter" | "tokens"> &
  Pick<TurnMachine, "coverage" | "jobs"> &
  Pick<TurnPerson, "emit">

const LONGEST_PROMPT = 200

/** Contract: a failure is reported and the loop continues: the tool's own result says that it did not happen. */
export async function goBack(deps: BacktrackDeps, request: BacktrackRequest): Promise<void> {
  const { session, emit } = deps
  const { checkpoint, note, restoreFiles } = request
  const dropped = droppedTokens(deps, checkpoint)
  await deps.coverage.mark()
  const { facts, ofFiles } = backtrackFacts(session.history, session.headRow, checkpoint, deps.jobs.list())
  const result = await session.backtrack({
    checkpoint,
    note,
    facts: (restored) => [...(restored === undefined ? ofFiles : filesTakenBack(restored)), ...facts],
    ...(restoreFiles ? { files: "restore" as const } : {}),
  })
  await deps.coverage.mark()
  if (result.outcome === "refused") {
    emit({ type: "notice", level: "warning", text: wordsFor(result.failure).message })
    return
  }
  deps.meter.dropped(dropped)
  if (result.filesProblem !== undefined) {
    const text = `The files stay as they are: ${wordsFor(result.filesProblem).message}`
    emit({ type: "notice", level: "warning", text })
  }
  const prompt = result.prompt?.text
  emit({
    type: "backtracked",
    checkpoint,
    discards: result.discards,
    note,
    returnedTo: prompt === undefined ? null : clip(sanitiseLine(prompt), LONGEST_PROMPT),
    entry: result.note,
  })
}

function filesTakenBack(files: readonly { path: string }[]): string[] {
  if (files.length === 0) return ["No file had to be restored."]
  return [`Files were restored to how they were at this checkpoint: ${names(files.map(({ path }) => path))}`]
}

/** An estimate of what the following steps no longer send. */
function droppedTokens(deps: BacktrackDeps, checkpoint: number): number {
  const { history, headRow } = deps.session
  const target = checkpoints(history, headRow).findLast((each) => each.n === checkpoint)
  if (target === undefined) return 0
  return path(history, headRow, target.row).reduce((sum, row) => sum + entryTokens(history, row, deps.tokens), 0)
}

const MOST_NAMES = 30

interface BacktrackFacts {
  /** True in any case. */
  facts: string[]
  /** True unless the files are taken back too. */
  ofFiles: string[]
}

/**
 * Facts that a note may have omitted: read from the log and the machine, not from the model. Facts for a note that goes
 * back to checkpoint `n` from `head`.
 */
function backtrackFacts(history: History, head: Row, n: number, jobs: readonly BackgroundJob[]): BacktrackFacts {
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
