// What a move did to the files, in sentences.
import { afterWords } from "../../model/move/after-words.ts"
import { alreadySo, copiedLine, gapLines, isWhole, noneKnown } from "../../model/move/gap-words.ts"
import { type MoveResult, movesOnlyFiles } from "../../model/move/moved.ts"
import { keptWords, SPLIT } from "../../model/text/file-reasons.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { terminalAdvice } from "./advice-words.ts"

const MOST_NAMED = 6

type Answer = Exclude<MoveResult, { outcome: "refused" }>

/** For a restore that changed nothing: the files are as they were then, or each of the others stays for a reason. */
export function unchangedFiles(answer: Answer): { text: string; kept: string[] } {
  const kept = keptFiles(answer)
  const same = isWhole(answer) ? `${alreadySo(answer.kind)} ` : noneKnown(answer)
  return {
    text: `${same}Nothing was changed.`,
    kept: [...kept, ...recordedFiles(answer), ...afterWords(answer, (step) => terminalAdvice([step]))],
  }
}

function keptFiles({ kept }: Answer): string[] {
  return kept.map((each) => `Kept ${each.path}: ${keptWords(each)}`)
}

/** What comes from copies, and what stays because too little is recorded; then what covers the rounds to come. */
function recordedFiles(answer: Answer): string[] {
  const next = answer.gaps?.next
  return [copiedLine(answer) ?? [], gapLines(answer), next === undefined ? [] : terminalAdvice(next)].flat()
}

function splitFiles({ files }: Answer): string[] {
  return files.filter(({ split }) => split === true).map(({ path }) => `${path} ${SPLIT}`)
}

const COMMAND_WIDTH = 60

/** A move ends no command: the person may still need it. */
function runningCommands({ stillRunning = [] }: Answer): string[] {
  return stillRunning.map(({ job, command }) => {
    const name = clip(sanitiseLine(command), COMMAND_WIDTH)
    return `Still running in the background: ${name}. To end it, ask the agent to end ${job}, or leave retcon.`
  })
}

/** `restore`: how to restore files that stayed. */
export function movedFiles(answer: Answer, restore = ""): string[] {
  const kept = [
    ...splitFiles(answer),
    ...keptFiles(answer),
    ...recordedFiles(answer),
    ...afterWords(answer, (step) => terminalAdvice([step])),
    ...runningCommands(answer),
  ]
  if (answer.files.length === 0) return kept
  const names = answer.files.slice(0, MOST_NAMED).map(({ path, change }) => `${change} ${path}`)
  const more = answer.files.length > names.length ? ` and ${answer.files.length - names.length} more` : ""
  const list = names.join(", ") + more
  if (answer.filesMode === "restore") {
    return [`${movesOnlyFiles(answer.kind) ? "Files" : "Files restored too"}: ${list}`, ...kept]
  }
  const how = answer.notRestorable === undefined ? restore : ` They cannot be restored: ${answer.notRestorable}`
  return [`Files that differ from this point stay as they are: ${list}.${how.replace(/\.$/, "")}`, ...kept]
}
