// What the model sees: the path since the last compaction, as messages. Same records, same head: same bytes.
import type { Origin } from "../../model/record/origin.ts"
import { isEntry, KIND, type Part, type StateRecord } from "../../model/record/record.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import { inert } from "../../model/text/inert.ts"
import { unreachable } from "../../model/unreachable.ts"
import { entryId, type History, isOnPath, NONE, path, type Row } from "../tree/tree.ts"
import { unbound } from "./bound-to-provider.ts"
import { compactionMessages } from "./compaction-messages.ts"
import { type Instead, leftOutIn, leftOutRows, without } from "./left-out.ts"
import { checkpointText, noteTexts } from "./marks.ts"
import { type ContextMessage, message, textPart } from "./message.ts"
import { inOrderOfCalls, type Settled, settleLast, settleNext } from "./tool-calls.ts"

export interface ContextOptions {
  /** Whether the model sees the numbers of checkpoints. By default as the path says: if Backtrack was last offered. */
  checkpoints?: "shown" | "hidden"
}

/** The context at `head`. Reads only the path since the last compaction. */
export function contextAt(history: History, head: Row = history.head, options: ContextOptions = {}): ContextMessage[] {
  return growingContext(history)(head, options)
}

/** How many contexts with different beginnings to keep: a person may go back and forth across a compaction. */
const MOST_DRAFTS = 4

/**
 * Contexts of one history. Contract: each result equals that of `contextAt`, but costs only the entries that no earlier
 * result contained: after an append, what was appended; after a move back, nothing. Results share frozen messages.
 * `closely` also reads entries that add nothing to a context: if one turns out to be damaged, that must not happen
 * between two contexts, or they would differ.
 */
export function growingContext(
  history: History,
  looks: "closely" | "quickly" = "quickly",
): (head: Row, options?: ContextOptions) => ContextMessage[] {
  let drafts: Draft[] = []
  return (head, options = {}) => {
    const known = drafts.find((draft) => isBeginningOf(history, draft, head, options))
    const draft = known ?? begin(history, head, options)
    drafts = [draft, ...drafts.filter((each) => each !== draft)].slice(0, MOST_DRAFTS)
    cutTo(draft, lastOnPath(history, draft.frames, head))
    for (const row of path(history, head, (draft.frames.at(-1) as Frame).row)) {
      addEntry(draft, history, row, history.depth(row) > draft.unbound)
      if (looks === "closely" && saysNothing(history.kind(row), draft.checkpoints)) history.record(row)
      draft.frames.push(frameOf(draft, history, row))
    }
    return answer(draft)
  }
}

/** A context being built. Its last message may still get parts; it is settled when another follows. */
interface Draft {
  settled: Settled
  last: ContextMessage | undefined
  /** Set if `last` is an answer in pieces; its results wait until the last piece is there. */
  answer: Answer | undefined
  asked: ContextOptions["checkpoints"]
  checkpoints: "shown" | "hidden"
  /** Answers up to this depth had a different beginning: other instructions, other tools, another model. */
  unbound: number
  /** What was left out, by entry; and the nearest row that leaves something out, which identifies the whole set. */
  leftOut: ReadonlyMap<string, Instead>
  lastLeftOut: Row
  /** The row of the entry with the system prompt. */
  system: Row
  /** The draft after its beginning, then after each entry of the path. Never empty. */
  frames: Frame[]
}

/** An answer that another agent writes in pieces, with results of its calls in between. */
interface Answer {
  name: string
  results: ContextMessage | undefined
  /** What was said before its last result, such as by a hook. It follows the results: no provider accepts another order. */
  meanwhile: readonly ContextMessage[]
}

/** A state of a draft: enough to return to it, because a draft only grows. */
interface Frame {
  row: Row
  /** To notice that the log was read again and its rows have changed. */
  id: string | null
  messages: number
  open: Settled["open"]
  last: ContextMessage | undefined
  answer: Answer | undefined
}

function frameOf({ settled, last, answer }: Draft, history: History, row: Row): Frame {
  return { row, id: entryId(history, row), messages: settled.messages.length, open: settled.open, last, answer }
}

function cutTo(draft: Draft, frame: number): void {
  const { messages, open, last, answer } = draft.frames[frame] as Frame
  draft.frames.length = frame + 1
  draft.settled.messages.length = messages
  draft.settled.open = open
  draft.last = last
  draft.answer = answer
}

/** The number of the last frame on the path to `head`; those before it are on that path too. */
function lastOnPath(history: History, frames: readonly Frame[], head: Row): number {
  let [low, high] = [0, frames.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (isOnPath(history, (frames[middle] as Frame).row, head)) low = middle
    else high = middle - 1
  }
  return low
}

/** Whether the context at `head` has the same beginning as this draft, and its rows are still valid. */
function isBeginningOf(history: History, draft: Draft, head: Row, options: ContextOptions): boolean {
  const [first, last] = [draft.frames[0] as Frame, draft.frames.at(-1) as Frame]
  const same = first.row === history.compaction(head) && draft.system === history.system(head)
  if (!same || draft.asked !== options.checkpoints) return false
  if ((leftOutRows(history, head, floorOf(history, first.row))[0] ?? NONE) !== draft.lastLeftOut) return false
  return last.row === NONE || (last.row < history.size && history.id(last.row) === last.id)
}

/** What comes before the path: the system prompt, the last compaction, and the tail it kept. */
function begin(history: History, head: Row, options: ContextOptions): Draft {
  const compaction = history.compaction(head)
  const settled: Settled = { messages: [], open: [] }
  const beginning = beginningAt(history, head)
  const system = history.system(head)
  const left = leftOutRows(history, head, floorOf(history, compaction))
  const draft: Draft = {
    settled,
    last: undefined,
    answer: undefined,
    asked: options.checkpoints,
    checkpoints: "hidden",
    unbound: beginning === undefined ? 0 : history.depth(system),
    leftOut: leftOutIn(history, left),
    lastLeftOut: left[0] ?? NONE,
    system,
    frames: [],
  }
  if (typeof beginning?.value === "string") add(draft, message("system", [textPart(beginning.value)]))
  const record = compaction === NONE ? undefined : history.record(compaction)
  if (record?.type === "compaction") for (const message of compactionMessages(record)) add(draft, message)
  // What precedes the tail has changed, so its answers lose the parts that are bound to it.
  if (compaction !== NONE) for (const row of keptTail(history, compaction)) addEntry(draft, history, row, false)
  draft.checkpoints = options.checkpoints ?? (beginning?.with?.checkpoints === true ? "shown" : "hidden")
  draft.frames.push(frameOf(draft, history, compaction))
  return draft
}

/** The entry with the beginning of the conversation at `head`: the system prompt, and what else was sent. */
export function beginningAt(history: History, head: Row): StateRecord | undefined {
  const row = history.system(head)
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "state" && record.key === SYSTEM_KEY ? record : undefined
}

function add(draft: Draft, message: ContextMessage): void {
  settleDraft(draft, draft.settled)
  draft.last = message
  draft.answer = undefined
}

function settleDraft({ last, answer }: Draft, settled: Settled): void {
  if (last !== undefined) settleNext(settled, last)
  if (answer?.results !== undefined) settleNext(settled, answer.results)
  for (const each of answer?.meanwhile ?? []) settleNext(settled, each)
}

/** Adds a message that may be another piece of the answer before it, or the result of one of that answer's calls. */
function addPiece(draft: Draft, next: ContextMessage, name: string | undefined): void {
  const { answer, last } = draft
  if (answer !== undefined && last !== undefined && next.role === "assistant" && name === answer.name) {
    draft.last = message("assistant", [...last.content, ...next.content])
  } else if (answer !== undefined && last !== undefined && next.role === "tool") {
    const content = [...(answer.results?.content ?? []), ...next.content]
    const ordered = name === answer.name ? inOrderOfCalls(content, last.content) : content
    draft.answer = { ...answer, results: message("tool", ordered) }
  } else if (answer !== undefined && last !== undefined && next.role === "user" && isOpen(last, answer)) {
    draft.answer = { ...answer, meanwhile: [...answer.meanwhile, next] }
  } else {
    add(draft, next)
    if (name !== undefined && next.role === "assistant") draft.answer = { name, results: undefined, meanwhile: [] }
  }
}

/** Whether a call has no result yet. */
function isOpen({ content }: ContextMessage, { results }: Answer): boolean {
  const answered = new Set(results?.content.map((part) => part.type === "tool-result" && part.call))
  return content.some((part) => part.type === "tool-call" && !answered.has(part.call))
}

function answer(draft: Draft): ContextMessage[] {
  const { messages, open } = draft.settled
  const whole: Settled = { messages: [...messages], open }
  settleDraft(draft, whole)
  return settleLast(whole)
}

/** The rows that make up a context, in order: a compaction, the tail it kept, and what came after it. */
export function contextRows(history: History, head: Row): { compaction: Row; kept: Row[]; rest: Row[] } {
  const compaction = history.compaction(head)
  const rest = path(history, head, compaction)
  return { compaction, kept: compaction === NONE ? [] : keptTail(history, compaction), rest }
}

/** The depth from which entries are shown. */
function floorOf(history: History, compaction: Row): number {
  if (compaction === NONE) return 0
  return history.depth(keptTail(history, compaction)[0] ?? compaction)
}

/** The rows of the tail that a compaction kept, in order. */
export function keptTail(history: History, compaction: Row): Row[] {
  const record = history.record(compaction)
  if (record?.type !== "compaction" || record.keepFrom === null) return []
  const from = history.rowOf(record.keepFrom)
  const last = history.parent(compaction)
  if (from === NONE || last === NONE || !isOnPath(history, from, last)) return []
  return path(history, last, history.parent(from))
}

/** `bound`: what precedes the entry here is what preceded it when it was made. */
function addEntry(draft: Draft, history: History, row: Row, bound: boolean): void {
  if (saysNothing(history.kind(row), draft.checkpoints)) return
  const record = history.record(row)
  if (record === undefined || !isEntry(record)) return
  switch (record.type) {
    case "message": {
      if (record.dropped === true) return
      const left = draft.leftOut.get(record.id)
      const whole = left === undefined ? record.content : without(record.content, left)
      const own = bound || record.role !== "assistant" ? [...whole] : unbound(whole)
      const content = own.map((part) => inertPart(part, record.origin))
      // No provider accepts a message without content.
      if (content.length > 0) addPiece(draft, message(record.role, content), record.answer)
      return
    }
    case "checkpoint":
      attach(draft, checkpointText(record))
      return
    case "note":
      for (const text of noteTexts(record)) attach(draft, text)
      return
    case "merge":
      attach(draft, `<system>From another branch: ${record.text}</system>`)
      return
    case "compaction":
    case "state":
    case "unknown-entry":
      return
    default:
      unreachable(record)
  }
}

/** Entries that need not be read, because no context shows them. */
function saysNothing(kind: number, checkpoints: "shown" | "hidden"): boolean {
  return kind === KIND.state || kind === KIND.compaction || (kind === KIND.checkpoint && checkpoints === "hidden")
}

/** Adds a separate part to the user or tool message before it, so that the bytes so far stay the same. */
function attach(draft: Draft, text: string): void {
  if (draft.answer !== undefined && draft.answer.meanwhile.length > 0) {
    const meanwhile = [...draft.answer.meanwhile, message("user", [textPart(text)])]
    draft.answer = { ...draft.answer, meanwhile }
    return
  }
  const last = draft.answer?.results ?? draft.last
  if (last?.role !== "user" && last?.role !== "tool") {
    add(draft, message("user", [textPart(text)]))
    return
  }
  // A copy, because a frame, and perhaps an earlier result, contains the message without this part.
  const longer = message(last.role, [...last.content, textPart(text)])
  if (draft.answer?.results === undefined) draft.last = longer
  else draft.answer = { ...draft.answer, results: longer }
}

/** Keeps the output of a tool or a command from pretending to be ours. */
function inertPart(part: Part, origin: Origin): Part {
  if (part.type === "tool-result") {
    return typeof part.output === "string" && part.output.includes("<") ? { ...part, output: inert(part.output) } : part
  }
  if (origin !== "shell" || part.type !== "text" || part.text === undefined) return part
  const [, mark = "", rest = ""] = SHELL.exec(part.text) ?? ["", "", part.text]
  return { ...part, text: mark + inert(rest) }
}

/** How we write the beginning of a message with a person's own command. */
const SHELL = /^(<system>[^<]*<\/system>\n)?([\s\S]*)$/
