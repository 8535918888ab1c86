// The result of a move, in a line or two.
import type { Moved } from "../../src/model/move/moved.ts"
import { count } from "../../src/model/text/amounts.ts"
import { keptWords, SPLIT } from "../../src/model/text/file-reasons.ts"
import { BACK_WHERE_ASKED } from "../../src/model/text/passed-words.ts"

const MOST_NAMED = 4

export function movedWords(did: string, moved: Moved): { text: string; detail?: string } {
  if (moved.outcome === "unchanged") {
    const text = moved.kind === "restore" ? "The files are already as they were then." : "You are already there."
    return { text: `${text} Nothing was changed.` }
  }
  const left = moved.messages === 0 ? "" : `, ${count(moved.messages, "message")} left behind, nothing is lost`
  const asked = moved.prompt?.passed === true ? BACK_WHERE_ASKED : ""
  const split = moved.files.filter((file) => file.split === true).map(({ path }) => `${path} ${SPLIT}`)
  const kept = moved.kept.map((each) => `Kept ${each.path}: ${keptWords(each)}`)
  const detail = [asked, filesWords(moved), ...split, ...kept].filter((line) => line !== "").join("\n")
  return { text: `${did}${left}.`, ...(detail === "" ? {} : { detail }) }
}

export function filesWords({ files, filesMode, notRestorable }: Moved): string {
  if (files.length === 0) return ""
  const names =
    files
      .slice(0, MOST_NAMED)
      .map(({ path }) => path)
      .join(", ") + more(files.length - MOST_NAMED)
  if (filesMode === "restore") return `Files restored: ${names}`
  const why = notRestorable === undefined ? "" : ` They cannot be restored: ${notRestorable}`
  return `Files that differ from here stay as they are: ${names}.${why}`
}

function more(files: number): string {
  return files > 0 ? ` and ${files} more` : ""
}
