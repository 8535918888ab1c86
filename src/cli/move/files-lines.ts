// The files of the workspace in a move: the options, and the lines about them.
import { afterWords } from "../../model/move/after-words.ts"
import { copiedLine, gapLines } from "../../model/move/gap-words.ts"
import type { Moved, MovedFile } from "../../model/move/moved.ts"
import { count } from "../../model/text/amounts.ts"
import { keptWords, SPLIT } from "../../model/text/file-reasons.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"

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

/** One line per file, then what a person must know about them. */
export function filesLines(moved: Moved): string[] {
  const planned = moved.outcome === "planned"
  const lines: string[] = []
  if (moved.files.length > 0) {
    lines.push(headline(moved, planned))
    for (const file of moved.files.slice(0, MOST_FILES))
      lines.push(`  ${fileLine(file)}${duringMark(moved, file.path)}${file.split === true ? `  ${SPLIT}` : ""}`)
    if (moved.files.length > MOST_FILES) lines.push(`  and ${moved.files.length - MOST_FILES} more`)
  }
  lines.push(...keptLines(moved))
  if (moved.uncertain.length > 0) {
    lines.push("* changed while a command ran, perhaps by you and not by the agent")
    if (planned) lines.push("  Keep them as they are with --only-certain, or single files with --keep PATH.")
  }
  for (const { path, because } of moved.notCovered.slice(0, MOST_FILES)) {
    lines.push(`Not covered by snapshots: ${sanitiseLine(path)} (${because})`)
  }
  return [
    ...lines,
    ...recordedLines(moved),
    ...moved.commits.flatMap(commitLines),
    ...afterWords(moved, (step) => shellAdvice([step])),
  ]
}

/** What comes from copies, and what stays because too little is recorded; then what covers the rounds to come. */
export function recordedLines(moved: Moved): string[] {
  const lines = [copiedLine(moved) ?? [], gapLines(moved)].flat().map(sanitiseLine)
  return [...lines, ...nextLines(moved.gaps?.next)]
}

/** What covers the rounds to come: a command has a line of its own, so that it can be copied. */
export function nextLines(next: NonNullable<Moved["gaps"]>["next"] = []): string[] {
  return next.map((part) => (typeof part === "string" ? part.trimEnd() : `  ${shellAdvice([part])}`))
}

/** A restore changes only files: a commit is taken back in the repository. */
function commitLines({ path, to, made, more, switched }: Moved["commits"][number]): string[] {
  const where = path === "" ? "" : ` in ${sanitiseLine(path)}`
  const stood =
    switched &&
    `The repository${where} was at ${sanitiseLine(switched.from)} then and stays at ${sanitiseLine(switched.to)}`
  const advice = stood === undefined ? [] : [`${stood}. To go there: ${sanitiseLine(switched?.command ?? "")}`]
  if (made.length === 0)
    return advice.length > 0
      ? advice
      : [`The repository${where} stays at ${short(to)}: retcon never touches a repository.`]
  return [
    ...advice,
    `Commits made since then${where} stay (retcon never touches a repository):`,
    ...made.map(({ commit, subject }) => `  ${short(commit)} ${sanitiseLine(subject)}`.trimEnd()),
    ...(more === 0 ? [] : [`  and ${more} more`]),
  ]
}

function short(commit: string): string {
  return commit.slice(0, 7)
}

export function keptLines({ kept }: Moved): string[] {
  return kept.map((each) => `Kept as it is: ${sanitiseLine(each.path)} (${keptWords(each)})`)
}

function headline(moved: Moved, planned: boolean): string {
  const number = count(moved.files.length, "file")
  if (moved.filesMode === "restore") return planned ? `Would change ${number}:` : `Changed ${number}:`
  const differs = moved.files.length === 1 ? "differs" : "differ"
  return `Files stay as they are. ${number} ${differs} from that point (${howToRestore(moved, planned)}):`
}

/**
 * Once the move is made, the same command again would move on from here. A dry run already says above why it is not
 * possible.
 */
function howToRestore({ files, notRestorable }: Moved, planned: boolean): string {
  const one = files.length === 1
  if (notRestorable === undefined)
    return planned
      ? `restore ${one ? "it" : "them"} with --files restore`
      : `to restore ${one ? "it" : "them"} too, take this back and repeat it with --files restore`
  const why = planned ? "" : `: ${notRestorable.replace(/\.$/, "")}`
  return `${one ? "it" : "they"} cannot be restored${why}`
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
