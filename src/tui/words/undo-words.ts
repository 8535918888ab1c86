// What an undo or a redo is about to take back, in words.
import { type History, NONE } from "../../history/tree/tree.ts"
import { unitWords } from "../../history/words/unit-words.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { SessionContents } from "../../protocol/host.ts"

const MOST = 60

/** "Undone: your prompt “fix the tests”". Contract: call it before the undo; reads two rows at most. */
export function undoWords(session: SessionContents, way: "undo" | "redo"): string {
  const did = way === "undo" ? "Undone" : "Redone"
  const what = nextWords(session.history, way)
  return what === "" ? did : `${did}: ${what}`
}

function nextWords(history: History, way: "undo" | "redo"): string {
  const last = history.size - 1
  if (last < 0) return ""
  const redo = history.redo(last)
  const row = way === "undo" ? history.undo(last) : redo === NONE ? NONE : history.unit(redo)
  if (row === NONE) return ""
  const { kind, by, text } = unitWords(history, { row, to: way === "undo" ? history.headAfter(last) : row })
  const words = text === "" ? "" : ` “${clip(sanitiseLine(text.slice(0, 400)), MOST)}”`
  return kind === "round" ? `${by === "agent" ? "what the agent did" : "your prompt"}${words}` : (MOVES[kind] ?? kind)
}

const MOVES: Readonly<Record<string, string>> = {
  back: "going back",
  goto: "going to another point",
  backtrack: "the agent's backtrack",
  retract: "withdrawing a prompt",
  restore: "restoring files",
  compact: "the compaction",
  omit: "leaving out what a provider refused",
}
