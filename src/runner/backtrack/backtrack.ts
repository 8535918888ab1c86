// The agent goes back to a checkpoint, once all calls of the step have ended.
import type { BacktrackRequest } from "../../agent/port/tool.ts"
import { path } from "../../history/tree/path.ts"
import { checkpoints } from "../../history/tree/state.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { TurnBudget, TurnConversation, TurnMachine, TurnPerson } from "../port/turn-deps.ts"
import { entryTokens } from "../window/context-size.ts"
import { backtrackFacts, names } from "./backtrack-facts.ts"

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
