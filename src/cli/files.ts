// The files of the workspace in a move: what was asked, and what is told of them.

import { count } from "../model/text/amounts.ts"
import { sanitiseLine } from "../model/text/sanitise.ts"
import type { Moved, MovedFile } from "../session/moved.ts"

export type FilesChoice = "keep" | "restore"

export interface ConflictFlags {
  ours?: boolean
  theirs?: boolean
  writeConflicts?: boolean
}

export function onConflict(flags: ConflictFlags): { onConflict?: "ours" | "theirs" | "write-conflicts" } {
  if (flags.ours === true) return { onConflict: "ours" }
  if (flags.theirs === true) return { onConflict: "theirs" }
  return flags.writeConflicts === true ? { onConflict: "write-conflicts" } : {}
}

const MOST_FILES = 20
const WHY_KEPT: Record<string, string> = {
  "changed-since": "you changed it since",
  "deleted-since": "you deleted it since",
  "other-session": "another session changed it at the same time",
  "not-covered": "it is not covered by snapshots",
  "conflict-ours": "your version was chosen",
}

/** One line per file, then what a person must know of them. */
export function filesLines(moved: Moved): string[] {
  const planned = moved.outcome === "planned"
  const lines: string[] = []
  if (moved.files.length > 0) {
    lines.push(headline(moved, planned))
    for (const file of moved.files.slice(0, MOST_FILES))
      lines.push(`  ${fileLine(file)}${duringMark(moved, file.path)}`)
    if (moved.files.length > MOST_FILES) lines.push(`  and ${moved.files.length - MOST_FILES} more`)
  }
  for (const { path, because } of moved.kept) {
    lines.push(`Kept as it is: ${sanitiseLine(path)} (${WHY_KEPT[because] ?? because})`)
  }
  if (moved.uncertain.length > 0) {
    lines.push("* changed while a command ran: perhaps by you and not by the agent")
  }
  for (const { path, because } of moved.notCovered.slice(0, MOST_FILES)) {
    lines.push(`Not covered by snapshots: ${sanitiseLine(path)} (${because})`)
  }
  for (const { path, to } of moved.commits) {
    const where = path === "" || path === "." ? "" : ` in ${sanitiseLine(path)}`
    lines.push(`Commits made${where} stay (up to ${to.slice(0, 10)}): retcon never touches a repository.`)
  }
  return lines
}

function headline(moved: Moved, planned: boolean): string {
  const number = count(moved.files.length, "file")
  if (moved.filesMode === "restore") return planned ? `Would change ${number}:` : `Changed ${number}:`
  const differs = moved.files.length === 1 ? "differs" : "differ"
  return `Files stay as they are. ${number} ${differs} from that point (take them along with --files restore):`
}

function duringMark(moved: Moved, path: string): string {
  return moved.uncertain.includes(path) ? " *" : ""
}

const MARKS: Record<string, string> = { added: "A", modified: "M", deleted: "D", mode: "m", type: "T" }

export function fileLine(file: MovedFile): string {
  const counts =
    file.added === undefined && file.removed === undefined ? "" : `  +${file.added ?? 0} −${file.removed ?? 0}`
  return `${MARKS[file.change] ?? "?"} ${sanitiseLine(file.path)}${counts}`
}
