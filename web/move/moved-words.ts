// The result of a move, in a line or two.
import { adviceText } from "../../src/model/failure/failure.ts"
import { afterWords } from "../../src/model/move/after-words.ts"
import { alreadySo, asFarAsKnown, copiedLine, gapLines, isWhole, noneKnown } from "../../src/model/move/gap-words.ts"
import { type Moved, movesOnlyFiles } from "../../src/model/move/moved.ts"
import { BACK_WHERE_ASKED, count } from "../../src/model/text/amounts.ts"
import { keptWords, SPLIT } from "../../src/model/text/file-reasons.ts"
import { pageStep } from "../show/advice.ts"

const MOST_NAMED = 4

export function movedWords(did: string, moved: Moved): { text: string; detail?: string } {
  const kept = moved.kept.map((each) => `Kept ${each.path}: ${keptWords(each)}`)
  const recorded = recordedWords(moved)
  if (moved.outcome === "unchanged") {
    const same = isWhole(moved) ? `${alreadySo(moved.kind)} ` : noneKnown(moved)
    const text = movesOnlyFiles(moved.kind) ? same : "You are already there. "
    return { text: `${text}Nothing was changed.`, ...detailOf([...kept, ...recorded, ...afterWords(moved, pageStep)]) }
  }
  const left = moved.messages === 0 ? "" : `, ${count(moved.messages, "message")} left behind, nothing is lost`
  const asked = moved.prompt?.passed === true ? BACK_WHERE_ASKED : ""
  const split = moved.files.filter((file) => file.split === true).map(({ path }) => `${path} ${SPLIT}`)
  const words = movesOnlyFiles(moved.kind) ? asFarAsKnown(did, moved) : did
  return {
    text: `${words}${left}.`,
    ...detailOf([asked, filesWords(moved), ...split, ...kept, ...recorded, ...afterWords(moved, pageStep)]),
  }
}

/** What comes from copies, and what stays because too little is recorded; then what covers the rounds to come. */
export function recordedWords(moved: Pick<Moved, "gaps" | "copied">): string[] {
  const next = moved.gaps?.next
  return [copiedLine(moved) ?? [], gapLines(moved), next === undefined ? [] : adviceText(next, pageStep)].flat()
}

function detailOf(lines: readonly string[]): { detail?: string } {
  const detail = lines.filter((line) => line !== "").join("\n")
  return detail === "" ? {} : { detail }
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
