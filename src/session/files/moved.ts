// What a move answers: the same shape for a dry run and for the move itself.
import type { Cost } from "../../history/plan/describe.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import { plainText } from "../../model/record/part.ts"
import type { OperationKind } from "../../model/record/record.ts"
import type { Conflict, Kept, NotCovered } from "../../workspace/port.ts"
import type { CommitsMade } from "./commits.ts"
import type { Modes } from "./modes.ts"
import type { FilesMode } from "./restore.ts"

export interface MovedFile {
  path: string
  change: string
  /** Lines, when they were counted. */
  added?: number
  removed?: number
}

export interface Moved {
  /** `unchanged`: we stand there already. `planned`: a dry run. */
  outcome: "moved" | "planned" | "unchanged"
  kind: OperationKind
  operation: RecordId | null
  from: EntryId | null
  head: EntryId | null
  /** Entries of the path that the new one does not have, and the other way round. */
  left: number
  regained: number
  /** Messages among those left. */
  messages: number
  /** What goes back into the editor. */
  prompt: { id: EntryId; text: string } | null
  /** `keep`: how the files differ from that point, untouched. `restore`: what was done to them. */
  filesMode: FilesMode
  files: MovedFile[]
  /** `keep`, and files differ: why they could not have come along. */
  notRestorable?: string
  /** Changed by the person since, so left as they are. */
  kept: Kept[]
  /** Restored, though perhaps not the agent's doing: changed while a command ran. */
  uncertain: string[]
  notCovered: NotCovered[]
  /** Rounds between here and there of which no snapshot tells what they changed: it stays as it is. */
  roundsNotCovered?: number
  /** Commits of the rounds that were left. They stay. */
  commits: CommitsMade[]
  /** In a dry run. */
  cost?: Cost
  /** In a dry run: the process whose turn keeps the move itself from being made now. */
  busy?: { pid: number }
  modes?: Modes
}

export type MoveResult = Moved | { outcome: "refused"; failure: Failure; conflicts?: Conflict[] }

/** A plan in words that a front end can show, before files are looked at. */
export function describeMove(history: History, plan: MovePlan, outcome: Moved["outcome"]): Moved {
  return {
    outcome,
    kind: plan.kind,
    operation: null,
    from: entryId(history, plan.from),
    head: entryId(history, plan.to),
    left: plan.left,
    regained: plan.regained,
    messages: plan.messages,
    prompt: promptText(history, plan.prompt),
    filesMode: "keep",
    files: [],
    kept: [],
    uncertain: [],
    notCovered: [],
    commits: [],
  }
}

/** What the person typed, as they typed it. */
export function promptText(history: History, row: Row): Moved["prompt"] {
  if (row === NONE) return null
  const record = history.record(row)
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  return { id: history.id(row) as EntryId, text }
}
