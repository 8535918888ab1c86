// The question to a person whose session somebody else has moved: what happened, and what their own request would do now.
import type { Failure } from "../model/failure/failure.ts"
import { type Moved, type MoveResult, movesOnlyFiles } from "../model/move/moved.ts"
import { count } from "../model/text/amounts.ts"
import { elsewhereWords } from "../model/text/done-elsewhere.ts"
import { clip, sanitiseLine } from "../model/text/sanitise.ts"

export type MovedElsewhere = Extract<Failure, { code: "moved-elsewhere" }>

export function isMovedElsewhere(failure: Failure): failure is MovedElsewhere {
  return failure.code === "moved-elsewhere"
}

const LONGEST = 60

/** For a move that was refused: `asked` is its answer. */
export function moveQuestion(failure: MovedElsewhere, asked: Extract<MoveResult, { outcome: "refused" }>): string {
  const { plan } = asked
  if (plan === undefined) return `${happened(failure)}. From there, this is no longer possible.`
  return `${happened(failure)}. From there, this would ${planWords(plan)}.`
}

/** For a prompt that was not sent. */
export function promptQuestion(failure: MovedElsewhere): string {
  return `${happened(failure)}. Your message was not sent: it would continue from there.`
}

function happened({ did }: MovedElsewhere): string {
  return did === undefined ? "Another program moved this session" : elsewhereWords(did)
}

function planWords({ kind, messages, regained, prompt, files, filesMode }: Moved): string {
  const changed = filesMode === "restore" && files.length > 0 ? ` and change ${count(files.length, "file")}` : ""
  if (movesOnlyFiles(kind)) return files.length === 0 ? "change no files" : `change ${count(files.length, "file")}`
  const before = prompt === null ? "" : `, to before “${clip(sanitiseLine(prompt.text), LONGEST)}”`
  if (messages > 0) return `leave ${count(messages, "message")} behind${before}${changed}`
  return `${regained > 0 ? `bring back ${count(regained, "entry", "entries")}` : "change nothing in the conversation"}${changed}`
}
