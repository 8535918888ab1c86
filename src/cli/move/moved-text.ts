// What a person reads after a move: what happened, where we are, the prompt given back, and the way back.
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { shortId } from "../../model/id.ts"
import { afterWords } from "../../model/move/after-words.ts"
import { alreadySo, asFarAsKnown, isWhole, noneKnown } from "../../model/move/gap-words.ts"
import { type Moved, movesOnlyFiles } from "../../model/move/moved.ts"
import { KIND, type MessageRecord, plainText } from "../../model/record/record.ts"
import { BACK_WHERE_ASKED, count } from "../../model/text/amounts.ts"
import { clip, sanitise, sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import { filesLines, keptLines, nextLines, recordedLines } from "./files-lines.ts"

/**
 * `none`: the text if no file differs. If files differ and stay, each is named with the reason. `step`: which step of
 * this call it is, counted from 1; the way back takes back all of them so far.
 */
export interface MoveWords {
  did: string
  would: string
  none?: string
  /** What restores files all the same that stay because a call that no snapshot shows may have changed them. */
  anyway?: string | undefined
  step?: number
  /** How a command names the session, such as " -s 7b0c26"; empty if it is meant anyway. */
  which?: string
  /** For another agent's session: the command that continues it there. */
  resume?: string
}

export function movedText(history: History, moved: Moved, words: MoveWords, width: number): string {
  const paragraphs = [
    [
      ...wrap(firstLine(history, moved, words), width),
      standing(history, moved, width),
      ...(moved.prompt?.passed === true ? wrap(BACK_WHERE_ASKED, width) : []),
      ...[...costLines(moved), ...busyLines(moved)].flatMap((line) => wrap(line, width)),
    ],
  ]
  const files =
    moved.outcome === "unchanged"
      ? [...keptLines(moved), ...recordedLines(moved), ...afterWords(moved, (step) => shellAdvice([step]))]
      : filesLines(moved)
  const isUnseen = moved.kept.some(({ because }) => because === "changed-unseen" || because === "deleted-unseen")
  if (isUnseen && words.anyway !== undefined) files.push(`${words.anyway}${words.which ?? ""}`)
  // A file or a commit stays on one line, so that it can be copied.
  if (files.length > 0) paragraphs.push(files.flatMap((line) => (line.startsWith(" ") ? [line] : wrap(line, width))))
  if (moved.prompt !== null) paragraphs.push([promptBlock(moved.prompt.text)])
  if (moved.outcome === "moved") {
    const { step = 1, which = "", resume } = words
    const way = `${moved.kind === "undo" ? "redo" : "undo"}${step > 1 ? ` ${step}` : ""}${which}`
    paragraphs.push([
      ...(resume === undefined ? [] : [`Continue in ${sanitiseLine(resume)}`]),
      `Take this back with: retcon ${way}`,
    ])
  }
  return `${paragraphs.map((lines) => lines.join("\n")).join("\n\n")}\n`
}

function firstLine(history: History, moved: Moved, words: MoveWords): string {
  if (words.none !== undefined && moved.files.length === 0)
    return isWhole(moved) ? words.none : `${noneKnown(moved)}Nothing was changed.`
  if (moved.outcome === "unchanged") {
    return movesOnlyFiles(moved.kind)
      ? `${alreadySo(moved.kind)} Nothing was changed.`
      : "You are there already. Nothing was changed."
  }
  if (moved.from === moved.head || movesOnlyFiles(moved.kind))
    return `${asFarAsKnown(moved.outcome === "planned" ? words.would : words.did, moved)}. The conversation stays.`
  const planned = moved.outcome === "planned"
  const regained = messagesAbove(history, moved.head, moved.regained)
  const left = `${messages(moved.messages)} left behind, nothing is lost`
  const facts = [
    ...(moved.messages > 0 || regained === 0 ? [left] : []),
    ...(regained > 0 ? [`${messages(regained)} ${planned ? "would come back" : "came back"}`] : []),
  ]
  return `${planned ? words.would : words.did}. ${capitalised(facts.join(", "))}.`
}

/** No terminal is wider; longer text is cut before it is examined. */
const LONGEST_LINE = 2000

/** Where we are now: the last message that says something. */
function standing(history: History, moved: Moved, width: number): string {
  const verb = moved.outcome === "planned" ? "Would be at" : "Now at"
  if (moved.head === null) return `${verb} the start: the conversation is empty.`
  const head = `${verb} ${shortId(moved.head)}`
  const last = lastSpoken(history, history.rowOf(moved.head))
  if (last === "unreadable") return clip(`${head}, which cannot be read. See: retcon doctor`, width)
  if (last === undefined) return `${head}, before the first message.`
  const text = (last.display ?? plainText(last.content)).slice(0, LONGEST_LINE)
  return clip(sanitiseLine(`${head}, ${speaker(last)}: ${text}`), width)
}

/** Contract: does not skip a message that cannot be read, because it may be the one. */
function lastSpoken(history: History, from: Row): MessageRecord | "unreadable" | undefined {
  for (let row = from; row !== NONE; row = history.parent(row)) {
    if (history.kind(row) !== KIND.message) continue
    const record = history.record(row)
    if (record?.type !== "message") return "unreadable"
    if (record.role !== "system" && record.origin !== "injection" && plainText(record.content).trim() !== "")
      return record
  }
  return undefined
}

function speaker(message: MessageRecord): string {
  if (message.role === "user") return message.origin === "prompt" ? "you" : message.origin
  return message.role === "assistant" ? "agent" : message.role
}

function costLines(moved: Moved): string[] {
  const dry = moved.outcome === "planned" ? ["This was a dry run: nothing was changed."] : []
  if (moved.cost === undefined) return dry
  const { cached, cachedTokens, againTokens } = moved.cost
  const kept = `The prompt cache keeps ${messages(cached)} (about ${count(cachedTokens, "token")}).`
  return [kept, `About ${count(againTokens, "token")} would be sent again.`, ...modeLines(moved), ...dry]
}

function busyLines({ busy }: Moved): string[] {
  if (busy === undefined) return []
  const who = busy.pid > 0 ? `process ${busy.pid}` : "another process"
  return [`This is not possible now: ${who} has this session open, and may still change it.`]
}

/** Which of conversation, files and both cannot move, and why. That no file differs is no obstacle. */
function modeLines({ modes, files }: Moved): string[] {
  if (modes === undefined || modes.files === null || (files.length === 0 && modes.next === undefined)) return []
  return [`Only the conversation can move: ${modes.files.replace(/\.$/, "")}.`, ...nextLines(modes.next)]
}

function messagesAbove(history: History, head: Moved["head"], entries: number): number {
  let found = 0
  let row = head === null ? NONE : history.rowOf(head)
  for (let n = 0; n < entries && row !== NONE; n++, row = history.parent(row)) {
    if (history.kind(row) === KIND.message) found++
  }
  return found
}

/** The text of a prompt, given back. */
export function promptBlock(text: string): string {
  const lines = sanitise(text).split("\n")
  const indented = lines.map((line) => (line === "" ? "" : `  ${line}`))
  return `Your prompt, to edit and send again:\n\n${indented.join("\n")}`
}

function messages(number: number): string {
  return count(number, "message")
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
