// Makes the rows of a Claude Code session.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { ORIGINS } from "../../model/record/origin.ts"
import { isEntryKind } from "../../model/record/record.ts"
import { madeWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { EarlyLines } from "./early-lines.ts"
import { Head } from "./head.ts"
import { emptyFacts, factsOf, type LineFacts, wordsOf } from "./line-facts.ts"
import { boundarySwitch, claudeMove } from "./move.ts"
import { quickFacts } from "./quick-facts.ts"
import { RunningAnswer } from "./running-answer.ts"
import { titleIn } from "./titles.ts"
import { isSince, RENDERS } from "./versions.ts"

/** An entry's place in the tree. */
interface Hung {
  parent: Row
  lost: boolean
  span: Span
  movesHead: boolean
  /** The parent that it names is a piece of the running answer. */
  within: boolean
}

const COMMAND = ORIGINS.indexOf("command")

export interface ScannerOptions {
  session: string
  /** The session is a sub-agent's, so all its lines are marked as a side chain. */
  subAgent: boolean
  /** `all`: parse every line, so that tests can compare. */
  parse?: "all" | "few"
}

export class ClaudeScanner implements Scanner {
  readonly #sink: Sink
  readonly #options: ScannerOptions
  readonly #facts = emptyFacts()
  readonly #head: Head
  readonly #answer: RunningAnswer
  readonly #early: EarlyLines
  /** Attachments to one result of the running answer, while other calls of it have none yet. */
  readonly #late: EarlyLines
  #title: { rank: number; text: string }

  constructor(sink: Sink, options: ScannerOptions, state: Json | undefined) {
    const known = isObject(state) ? state : {}
    this.#sink = sink
    this.#options = options
    this.#head = new Head(sink.rows, known.head)
    this.#answer = new RunningAnswer(sink.rows, known.answer)
    this.#early = new EarlyLines(known.early)
    this.#late = new EarlyLines(known.late)
    this.#title = { rank: numberField(known.title, "rank") ?? -1, text: textField(known.title, "text") ?? "" }
  }

  state(): Json {
    const early = this.#early.isEmpty ? {} : { early: this.#early.state() }
    const late = this.#late.isEmpty ? {} : { late: this.#late.state() }
    return { head: this.#head.state(), answer: this.#answer.state(), title: { ...this.#title }, ...early, ...late }
  }

  head(): Row {
    return this.#head.row()
  }

  move(request: MoveAsked): AppendedMove {
    return claudeMove(request, this.#head, this.#options.session)
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const facts = this.#facts
    const quick = this.#options.parse === "all" ? "ask" : quickFacts(bytes, start, end, facts)
    if (quick === "nothing") return
    const line = quick === "row" ? undefined : parseLine(bytes, start, end)
    if (quick === "row") this.#row(facts, {}, span)
    else if (line === undefined) this.#sink.damaged(span)
    else this.#parsed(line, span)
  }

  #parsed(line: JsonObject, span: Span): void {
    if (line.type === "last-prompt") this.#checkpoint(line, span)
    else if (boundarySwitch(line) !== undefined) this.#switchBoundary(line, span)
    else if (titleIn(line) !== undefined) this.#titled(line, span)
    else {
      const told = factsOf(line, this.#facts)
      if (told === undefined) this.#sink.damaged(span)
      else if (told) this.#row(this.#facts, line, span)
    }
  }

  /** `line`: the parsed line, for the few kinds where the facts are not enough. */
  #row(facts: LineFacts, line: JsonObject, span: Span): void {
    if (this.#isLate(facts, line)) {
      this.#late.keep(facts, span)
      return
    }
    if (!this.#late.isEmpty && this.#endsAnswer(facts)) this.#placeLate()
    this.#inOrder(facts, line, span)
    if (!this.#late.isEmpty && !this.#answer.isOpen) this.#placeLate()
  }

  /** Later versions send what is attached to one of several results behind all of them; earlier ones do not send it at all. */
  #isLate(facts: LineFacts, line: JsonObject): boolean {
    if (facts.type !== "attachment" || this.#isAside(facts)) return false
    if (!this.#late.isEmpty && this.#late.has(facts.parent)) return true
    const { kind, origin } = facts.said
    if (kind !== "message" || origin === "steer" || !this.#answer.isOpen || !isSince(line, RENDERS)) return false
    return this.#answer.holds(this.#rowOf(facts.parent))
  }

  #endsAnswer({ type, answer, said }: LineFacts): boolean {
    return type === "assistant" ? answer !== this.#answer.id : said.role === "user"
  }

  #placeLate(): void {
    for (const { facts, span } of this.#late.takeAll()) this.#place(facts, {}, span)
  }

  #isAside({ sidechain, type }: LineFacts): boolean {
    return (sidechain && !this.#options.subAgent) || type === "progress"
  }

  #inOrder(facts: LineFacts, line: JsonObject, span: Span): void {
    if (this.#early.isEmpty && this.#head.last !== NONE) {
      this.#place(facts, line, span)
      return
    }
    const isThere = (id: Uint32Array) => this.#rowOf(id) !== NONE
    const waits = facts.hasParent && !facts.sidechain && facts.type !== "progress" && !isThere(facts.parent)
    if (waits && line.subtype !== "compact_boundary" && this.#early.hold(facts, span)) return
    if (waits) for (const each of this.#early.takeAll()) this.#place(each.facts, {}, each.span)
    this.#place(facts, line, span)
    for (let next = this.#early.takeReady(isThere); next !== undefined; next = this.#early.takeReady(isThere))
      this.#place(next.facts, {}, next.span)
  }

  #place(facts: LineFacts, line: JsonObject, span: Span): void {
    const { rows } = this.#sink
    const aside = this.#isAside(facts)
    const known = rows.rowOfWords(facts.id)
    if (known !== NONE) {
      // The last line with the same id counts.
      if (!isEntryKind(rows.kind(known))) this.#sink.damaged(span)
      else this.#sink.amend(known, span)
      if (!aside && isEntryKind(rows.kind(known))) this.#head.entry(known)
      return
    }
    const named = this.#parentOf(facts, line, aside)
    const within = !aside && this.#answer.holds(named)
    const prompt = facts.said.origin === "prompt" || facts.said.turn === true
    const parent = within && !prompt ? this.#answer.parentFor(named) : named
    const lost = parent === NONE && facts.hasParent
    const row = this.#sink.entry(this.#entryOf(facts, { parent, lost, span, movesHead: !aside, within }))
    if (aside) return
    if (facts.type === "assistant") this.#answer.piece(row, parent, facts.answer, facts.calls)
    else if (facts.said.role === "tool") this.#answer.follow(row, parent, true)
    else if (facts.type === "attachment") this.#answer.follow(row, parent, false)
    else this.#answer.end()
    this.#head.entry(row)
    if (line.subtype === "compact_boundary") this.#head.compacted(row, this.#firstKept(line))
  }

  /** As the program's own loader does it: a line whose parent is missing or not loaded follows the last one. */
  #parentOf(facts: LineFacts, line: JsonObject, aside: boolean): Row {
    const { last, boundary } = this.#head
    if (!facts.hasParent) {
      const { logicalParentUuid } = line
      const before = typeof logicalParentUuid === "string" ? this.#rowOf(wordsOf(logicalParentUuid)) : NONE
      return line.subtype === "compact_boundary" ? before : NONE
    }
    const found = this.#rowOf(facts.parent)
    const parent = facts.type === "progress" || !aside ? this.#above(found) : found
    if (aside) return parent
    if (parent === NONE) return last
    return boundary !== NONE && parent < boundary ? last : parent
  }

  /** The entry itself or, for one off the path such as a progress line, its parent. */
  #above(row: Row): Row {
    const { rows } = this.#sink
    return row === NONE || rows.headAfter(row) === row ? row : rows.parent(row)
  }

  /** An entry by its id. */
  #rowOf(words: Uint32Array): Row {
    const { rows } = this.#sink
    // Most entries follow the last one.
    const { last } = this.#head
    if (last !== NONE && rows.hasId(last, words)) return last
    const row = rows.rowOfWords(words)
    return row !== NONE && isEntryKind(rows.kind(row)) ? row : NONE
  }

  #entryOf(facts: LineFacts, { parent, lost, span, movesHead, within }: Hung): ScannedEntry {
    const { rows } = this.#sink
    const { kind, role, origin, turn } = facts.said
    const entry: ScannedEntry = { id: facts.id, parent, lost, span, movesHead, fresh: true, kind }
    // Nothing else may come between the results of one answer.
    if (facts.type === "attachment" && origin !== "steer" && within && this.#answer.isOpen) entry.kind = "other"
    const expansion =
      origin === "injection" && parent !== NONE && rows.origin(parent) === COMMAND && rows.isPrompt(parent)
    if (role !== undefined) entry.role = role
    if (origin !== undefined) entry.origin = expansion ? "command" : origin
    if (turn === true) entry.turn = true
    return entry
  }

  #firstKept(line: JsonObject): Row {
    const metadata = objectField(line, "compactMetadata")
    const first = firstKeptUuid(metadata)
    return first === undefined ? NONE : this.#rowOf(wordsOf(first))
  }

  /** A checkpoint is a move if it changes where the program would continue. */
  #checkpoint(line: JsonObject, span: Span): void {
    const { rows } = this.#sink
    const before = this.head()
    this.#head.checkpoint(line)
    const after = this.head()
    const ours = objectField(line, "retcon")
    const operation = textField(ours, "operation")
    // More lines of the same move follow; the last one completes it.
    if (ours !== undefined && operation === undefined) return
    const replayed = rows.size === 0 ? NONE : rows.headAfter(rows.size - 1)
    if (operation === undefined && (after === before || after === replayed)) return
    const id =
      operation === undefined ? madeWords(0, `${this.#options.session} move ${span.offset}`) : wordsOf(operation)
    this.#sink.move({ id, to: after, span })
  }

  /** This may be the last line of a move. */
  #switchBoundary(line: JsonObject, span: Span): void {
    const row = typeof line.uuid === "string" ? this.#sink.rows.rowOfWords(wordsOf(line.uuid)) : NONE
    this.#head.setBoundary(row, boundarySwitch(line) === "off")
    const operation = textField(objectField(line, "retcon"), "operation")
    if (operation !== undefined) this.#sink.move({ id: wordsOf(operation), to: this.head(), span })
  }

  #titled(line: JsonObject, span: Span): void {
    const title = titleIn(line)
    if (title === undefined || title.rank < this.#title.rank) return
    // A summary may be about another session. It names the entry that it summarises.
    const { leafUuid } = line
    if (line.type === "summary" && (typeof leafUuid !== "string" || this.#rowOf(wordsOf(leafUuid)) === NONE)) return
    const text = title.text.slice(0, 200)
    if (title.rank === this.#title.rank && text === this.#title.text) return
    this.#title = { rank: title.rank, text }
    this.#sink.aside({ id: madeWords(0, `${this.#options.session} title ${span.offset}`), kind: "config", span })
  }
}

/** The first entry that a compaction keeps verbatim. */
export function firstKeptUuid(metadata: JsonObject | undefined): string | undefined {
  const [first] = listField(objectField(metadata, "preservedMessages"), "uuids")
  return typeof first === "string" ? first : textField(objectField(metadata, "preservedSegment"), "headUuid")
}
