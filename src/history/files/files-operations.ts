// The operations that went with the files, and which of them an undo or redo reverses.
import type { RecordId } from "../../model/id.ts"
import { type FilesMove, KIND, type OperationRecord } from "../../model/record/record.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"

export interface Operation {
  row: Row
  record: OperationRecord
}

/** An operation that went with the files, even if there was nothing to do to them. */
export interface FilesOperation extends Operation {
  record: OperationRecord & { files: FilesMove }
}

/** Those after the row `since`, oldest first. */
export function filesOperations(history: History, since: Row = NONE): FilesOperation[] {
  const found: FilesOperation[] = []
  for (let row = since === NONE ? 0 : since + 1; row < history.size; row++) {
    const operation = filesOperation(history, row)
    if (operation !== undefined) found.push(operation)
  }
  return found
}

/** Undefined for a row that is not an operation, or that left the files alone. */
export function filesOperation(history: History, row: Row): FilesOperation | undefined {
  return history.movesFiles(row) ? withFiles(operationAt(history, row)) : undefined
}

/** Whether it changed any file. */
export function changedFiles({ record: { files } }: FilesOperation): boolean {
  return files.from !== files.to
}

/** The operation that an undo or redo takes back: the unit itself or its last redo; the undo. Undefined for a round. */
export function takenBack(history: History, undoes: RecordId | undefined): OperationRecord | undefined {
  for (const { isTakenBack, ...turn } of turnsOf(history, undoes)) if (isTakenBack) return turn.record
  return undefined
}

/**
 * What an undo or redo reverses in the files: the last move of them by which the unit was done (for an undo), or undone
 * (for a redo). Undefined if there is none, or if it has been reversed already.
 */
export function filesToReverse(history: History, undoes: RecordId | undefined): FilesOperation | undefined {
  for (const { isTakenBack, ...turn } of turnsOf(history, undoes)) {
    const found = withFiles(turn)
    if (found !== undefined) return isTakenBack ? found : undefined
  }
  return undefined
}

/** What an undo or redo in the log reversed, if it says no moment that it went to. */
export function filesReversed(history: History, { row, record }: FilesOperation): FilesOperation | undefined {
  for (const { isTakenBack, ...turn } of turnsOf(history, record.undoes, row)) {
    const found = isTakenBack ? withFiles(turn) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `isTakenBack`: it put there what the undo or redo takes back; otherwise it had taken that back itself. */
type Turn = Operation & { isTakenBack: boolean }

/**
 * All operations before the row `at` by which a unit was done and undone, newest first. `undoes`: the unit, for an undo;
 * for a redo, one of the undos of the unit. Contract: reads no bodies but theirs.
 */
function* turnsOf(history: History, undoes: RecordId | undefined, at: Row = history.size): Generator<Turn> {
  const named = undoes === undefined ? NONE : history.rowOf(undoes)
  if (named === NONE) return
  const undone = history.kind(named) === KIND.operation ? history.unit(named) : NONE
  const isRedo = undone !== NONE
  const unit = isRedo ? undone : named
  for (let row = at - 1; row > unit; row--) {
    if (history.kind(row) !== KIND.operation) continue
    const isUndo = history.unit(row) === unit
    // After a redo, as after the unit itself, the unit is what would be undone next.
    if (!isUndo && (history.unit(row) !== NONE || history.undo(row) !== unit)) continue
    const operation = operationAt(history, row)
    if (operation !== undefined && (isUndo || operation.record.kind === "redo"))
      yield { ...operation, isTakenBack: isUndo === isRedo }
  }
  const own = operationAt(history, unit)
  if (own !== undefined) yield { ...own, isTakenBack: !isRedo }
}

function withFiles(operation: Operation | undefined): FilesOperation | undefined {
  if (operation?.record.files === undefined) return undefined
  const { row, record } = operation
  return { row, record: { ...record, files: operation.record.files } }
}

function operationAt(history: History, row: Row): Operation | undefined {
  const record = history.kind(row) === KIND.operation ? history.record(row) : undefined
  return record?.type === "operation" ? { row, record } : undefined
}
