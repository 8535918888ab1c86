// What a move did with the files, in sentences.
import type { MoveResult } from "../../model/move/moved.ts"
import { keptWords } from "../../model/text/file-reasons.ts"

const MOST_NAMED = 6

/** `restore`: how to restore files that stayed. */
export function movedFiles(answer: Exclude<MoveResult, { outcome: "refused" }>, restore = ""): string[] {
  const kept = answer.kept.map((each) => `Kept ${each.path}: ${keptWords(each)}`)
  if (answer.files.length === 0) return kept
  const names = answer.files.slice(0, MOST_NAMED).map(({ path, change }) => `${change} ${path}`)
  const more = answer.files.length > names.length ? ` and ${answer.files.length - names.length} more` : ""
  const list = names.join(", ") + more
  if (answer.filesMode === "restore") {
    return [`${answer.kind === "restore" ? "Files restored" : "Files restored too"}: ${list}`, ...kept]
  }
  const how = answer.notRestorable === undefined ? restore : ` They cannot be restored: ${answer.notRestorable}`
  return [`Files that differ from this point stay as they are: ${list}.${how.replace(/\.$/, "")}`, ...kept]
}
