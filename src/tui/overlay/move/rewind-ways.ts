// The four ways to go to an entry, each with what it would do.
import { wordsFor } from "../../../model/failure/failure-words.ts"
import type { EntryId } from "../../../model/id.ts"
import { asFarAsKnown, whyNone } from "../../../model/move/gap-words.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import { count } from "../../../model/text/amounts.ts"
import { unreachable } from "../../../model/unreachable.ts"
import type { SessionMoves } from "../../../protocol/host.ts"
import { attempt } from "../frame/attempt.ts"
import type { FilesChosen } from "./files-chosen.ts"

export const REWIND_WAYS = ["both", "conversation", "files", "summary"] as const
export type RewindWay = (typeof REWIND_WAYS)[number]

export type AcceptedMove = Exclude<MoveResult, { outcome: "refused" }>

export const WAY_NAMES: Readonly<Record<RewindWay, string>> = {
  both: "Conversation and files",
  conversation: "Conversation only",
  files: "Files only",
  summary: "Conversation, with a summary of what you leave",
}

/** What was done, afterwards. */
export function wentWords(way: RewindWay, answer: AcceptedMove): string {
  if (way === "both" && answer.gaps !== undefined && answer.files.length === 0)
    return "Went back; no file is known to change"
  return way === "both" || way === "files" ? asFarAsKnown(WENT_WORDS[way], answer) : WENT_WORDS[way]
}

const WENT_WORDS: Readonly<Record<RewindWay, string>> = {
  both: "Went back, with the files",
  conversation: "Went back, without the files",
  files: "Files restored",
  summary: "Went back, with a summary of what was left behind",
}

/**
 * Goes there or, with `dryRun`, says what that would do: the same plan. `more`: what the person chose about the files.
 */
export function rewindBy(
  session: SessionMoves,
  entry: EntryId,
  way: RewindWay,
  more: FilesChosen & { dryRun?: boolean } = {},
): Promise<MoveResult> {
  const { dryRun = false } = more
  return attempt<MoveResult>(() => {
    switch (way) {
      case "both":
        return session.goto(entry, { files: "restore", ...more })
      case "conversation":
        return session.goto(entry, { files: "keep", dryRun })
      case "files":
        return session.restore(entry, more)
      case "summary":
        return session.goto(entry, { files: "keep", summarise: true, dryRun })
      default:
        return unreachable(way)
    }
  })
}

/** Why this way cannot be taken; undefined if it can. */
export function whyNot(way: RewindWay, answer: MoveResult): string | undefined {
  if (answer.outcome === "refused") return wordsFor(answer.failure).message
  if (way === "files" && answer.files.length === 0) return whyNone(answer)
  if (way === "summary" && answer.messages === 0) return "No message would be left behind."
  return undefined
}

/** What a way would do, on one line, as far as there is room. */
export function wayWords(way: RewindWay, answer: AcceptedMove, room: number): string {
  const messages = count(answer.messages, "message")
  const number = answer.files.length
  const files = count(number, "file")
  const short = way === "files" ? files : `leaves ${messages}`
  const both = way === "both" && number > 0 ? `${short}, ${files}` : short
  const part = answer.gaps === undefined ? "" : PART
  const long = longWords(way, messages, files, number, part)
  return [long, both + part].find((words) => words.length <= room) ?? short
}

/** Not everything comes back. */
const PART = ", not all is known"

function longWords(way: RewindWay, messages: string, files: string, number: number, part: string): string {
  switch (way) {
    case "both":
      if (number === 0) return `leaves ${messages}, ${part === "" ? "no file differs" : "no change to files is known"}`
      return `leaves ${messages}, changes ${files}${part}`
    case "conversation":
      if (number === 0) return `leaves ${messages}`
      return `leaves ${messages}, ${files} ${number === 1 ? "stays as it is" : "stay as they are"}`
    case "files":
      return `changes ${files}${part}`
    case "summary":
      return `leaves ${messages}, summarised`
    default:
      return unreachable(way)
  }
}
