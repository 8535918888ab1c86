// What happened, in units of undo and redo: rounds and moves.
import { entryText } from "../../model/record/entry-text.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { leftOutIn } from "../context/left-out.ts"
import { type History, NONE, type Row, type Tree } from "../tree/tree.ts"

export interface Unit {
  /** `round`: appended entries; `move`: an operation. */
  type: "round" | "move"
  /** The operation, or the first appended entry. */
  row: Row
  /** Where the head was before and after; for a backtrack, after everything the agent said then. */
  from: Row
  to: Row
  /** Undone, and not redone since. Undos and redos themselves are never undone: each is reversed by the other. */
  undone: boolean
  /** Whether undo would take it back next, or redo would do it again. */
  next: "undo" | "redo" | undefined
}

/** Newest first. Reads the whole log, but no bodies. */
export function* units(tree: Tree): Generator<Unit> {
  const last = tree.size - 1
  if (last < 0) return
  const undo = tree.undo(last)
  const redone = tree.redo(last)
  const redo = redone === NONE ? NONE : tree.unit(redone)
  /** By the first row of a unit: whether it was last undone rather than redone. */
  const undone = new Map<Row, boolean>()
  /** The head after each round: we meet the last entry of a round before its first. */
  const ends = new Map<Row, Row>()
  for (let row = last; row >= 0; row--) {
    const kind = tree.kind(row)
    const unit = tree.undo(row)
    if (kind === KIND.operation) {
      // An undo or redo that took effect leaves the first row of another unit on top, so it is not a unit itself.
      const isUndo = tree.unit(row) !== NONE
      const about = isUndo ? tree.unit(row) : unit
      if (about !== row && !undone.has(about)) undone.set(about, isUndo)
      const to = ends.get(row) ?? tree.headAfter(row)
      yield { type: "move", row, from: tree.parent(row), to, ...stateOf(row) }
    } else if (isEntryKind(kind) && !isOfMove(tree, row)) {
      if (!ends.has(unit)) ends.set(unit, row)
      if (unit === row) yield { type: "round", row, from: tree.parent(row), to: ends.get(row) ?? row, ...stateOf(row) }
    }
  }

  function stateOf(row: Row): Pick<Unit, "undone" | "next"> {
    const next = row === undo ? "undo" : row === redo ? "redo" : undefined
    return { undone: undone.get(row) === true, next }
  }
}

/** Whether it is a note, a compaction, or another entry that was written with the operation that goes there, such as what was brought. */
function isOfMove(tree: Tree, row: Row): boolean {
  const kind = tree.kind(row)
  if (kind === KIND.note || kind === KIND.compaction) return true
  const next = row + 1
  if (next >= tree.size || tree.kind(next) !== KIND.operation) return false
  return tree.headAfter(next) === row && tree.parent(next) === tree.parent(row) && tree.unit(next) === NONE
}

interface UnitWords {
  at: string
  kind: string
  by: string
  /** The prompt of a round; the note of a move. */
  text: string
}

/** Units in words: a round by its prompt, a move by its kind and by what it left behind. Not sanitised. */
export function unitWords(history: History, unit: Pick<Unit, "row" | "to">): UnitWords {
  const record = history.record(unit.row)
  const at = record?.at ?? ""
  if (record?.type === "operation") return { at, kind: record.kind, by: record.by, text: leftBehind(history, unit) }
  const prompt = history.prompt(unit.to)
  const asked = prompt !== NONE && prompt >= unit.row
  const own = asked ? history.record(prompt) : record
  return { at, kind: "round", by: asked ? "person" : "agent", text: (own && entryText(own)) ?? "" }
}

/** The note or summary that a move left. */
function leftBehind(history: History, unit: Pick<Unit, "row" | "to">): string {
  const to = history.headAfter(unit.row)
  if (to === NONE || to !== unit.row - 1) return ""
  const record = history.record(to)
  if (record?.type === "state") return leftOutWords(history, to)
  const says = record?.type === "note" || record?.type === "compaction" || record?.type === "merge"
  return says ? (entryText(record) ?? "") : ""
}

/** What is omitted from the context from there on. */
function leftOutWords(history: History, row: Row): string {
  const [entry] = leftOutIn(history, [row]).keys()
  const at = entry === undefined ? NONE : history.rowOf(entry)
  const record = at === NONE ? undefined : history.record(at)
  return (record && entryText(record)) ?? ""
}
