// What to print after a move or a failure, and where we are.
import { lastAsked } from "../../history/tree/asked.ts"
import { NONE } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import { asFarAsKnown } from "../../model/move/gap-words.ts"
import { type MoveResult, movesOnlyFiles } from "../../model/move/moved.ts"
import { plainText } from "../../model/record/record.ts"
import { BACK_WHERE_ASKED, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { movedFiles, unchangedFiles } from "../words/moved-files-words.ts"
import { conflictText } from "./plain-move.ts"

type Say = (text: string) => void

export function tellMove(session: SessionContents, did: string, answer: MoveResult, say: Say): void {
  if (answer.outcome === "refused") {
    const both = conflictText(answer)
    if (both !== "") say(both)
    say(failureWords(answer.failure, session.id))
    return
  }
  const onlyFiles = movesOnlyFiles(answer.kind)
  if (onlyFiles && answer.outcome !== "moved") {
    const { text, kept } = unchangedFiles(answer)
    for (const line of [text, ...kept]) say(line)
    return
  }
  if (answer.outcome === "unchanged") {
    say(`You are already there. Nothing was changed. ${position(session)}`)
    return
  }
  const left = answer.messages === 0 ? "" : `${count(answer.messages, "message")} left behind, nothing is lost. `
  const back = answer.kind === "undo" ? "/redo" : "/undo"
  say(
    `${onlyFiles ? `${asFarAsKnown(did, answer)}.` : `Moved. ${left}${position(session)}`} Take this back with ${back}.`,
  )
  if (answer.prompt?.passed === true) say(BACK_WHERE_ASKED)
  for (const text of movedFiles(answer)) say(text)
  if (answer.prompt !== null) say(`Your prompt was: ${answer.prompt.text}`)
}

/** Where we are, in a sentence. */
export function position(session: SessionContents): string {
  const { round, rounds, branches } = session.status()
  if (rounds === 0 && branches <= 1) return "A new session."
  const row = lastAsked(session.history, session.head)
  const record = row === NONE ? undefined : session.history.record(row)
  const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  const place = `Round ${round} of ${rounds}, ${count(branches, "branch", "branches")}.`
  return text === "" ? place : `${place} Last prompt: ${clip(sanitiseLine(text), 200)}.`
}

export function errorWords(error: unknown): string {
  const failure = failureOf(error)
  if (failure !== undefined) return failureWords(failure)
  return error instanceof Error ? error.message : String(error)
}

export function failureWords(failure: Failure, session?: string): string {
  const { message, advice } = wordsFor(failure)
  return `${message} ${plainAdvice(advice, session)}`
}
