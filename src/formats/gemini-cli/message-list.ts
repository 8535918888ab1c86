// The list of messages that a Gemini CLI file folds into, represented as the path to one row.
import { isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { type Origin, ROLES } from "../../model/record/origin.ts"
import { KIND, plainText } from "../../model/record/record.ts"
import { madeWords, uuidWords } from "../ids.ts"
import type { ScannedEntry, Sink, Span } from "../port.ts"
import { listField, numberField, objectField, textField } from "../shared/json-line.ts"
import { type Answer, answerState, cover, newAnswer, readAnswer, rowOfResults } from "./answers.ts"
import {
  answeredBy,
  authorOf,
  isIntroduced,
  isLeftOut,
  isSessionContext,
  partsOf,
  SNAPSHOT,
  THANKS,
} from "./message.ts"
import { messageHash } from "./message-hash.ts"
import { PathHashes } from "./path-hashes.ts"

/** A message, and where its bytes are. */
export interface Placed {
  message: JsonObject
  at: Span
}

/** The state of a walk through messages. */
interface Cursor {
  at: Row
  /** The end of what is known so far. */
  readonly before: Row
  /** A new message came, so what follows goes after it rather than where it was. */
  branched: boolean
  /** What the messages before a summary said, if this list begins with a summary. */
  summed: Set<number> | undefined
  answer: Answer | undefined
  /** The line that moves the head, if the walk creates a branch. */
  readonly span: Span
  /** Whether the messages come as a list, which repeats unchanged ones. A single message is repeated only if it was extended. */
  readonly list: boolean
}

export class MessageList {
  readonly #sink: Sink
  readonly #session: { name: string; task: boolean }
  readonly #hashes: PathHashes
  /** Messages that are in the tree twice: the row that counts, by type and id. */
  readonly #copies = new Map<string, Row>()
  /** Messages that Gemini CLI no longer sends: once it has resumed, its lists do not have them. */
  readonly #leftOut: Set<Row>
  /** The last message of the list. */
  #at: Row
  /** The head according to the rows so far. */
  #told: Row
  #context: Row
  #answer: Answer | undefined

  constructor(sink: Sink, session: { name: string; task: boolean }, state: Json | undefined) {
    this.#sink = sink
    this.#session = session
    this.#at = numberField(state, "at") ?? NONE
    this.#told = numberField(state, "told") ?? NONE
    this.#context = numberField(state, "context") ?? NONE
    this.#answer = readAnswer(objectField(state, "answer"))
    const text = textField(state, "meanings")
    this.#hashes = new PathHashes(sink.rows, text === undefined ? undefined : { at: this.#at, text })
    this.#leftOut = new Set(listField(state, "leftOut").filter((row) => typeof row === "number"))
    for (const pair of listField(state, "copies")) {
      if (Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "number") {
        this.#copies.set(pair[0], pair[1])
      }
    }
  }

  get at(): Row {
    return this.#at
  }

  state(): Json {
    return {
      at: this.#at,
      told: this.#told,
      context: this.#context,
      answer: answerState(this.#answer),
      meanings: this.#hashes.print(this.#at),
      copies: [...this.#copies],
      leftOut: [...this.#leftOut],
    }
  }

  /** Handles a single message: a new body for the one with its id, or the next one. */
  add(message: JsonObject, span: Span): void {
    const cursor = this.#cursor(this.#at, this.#answer, span, false)
    // A saved conversation begins like this. Its messages come one by one, and then as the list that replaces the present one.
    if (isIntroduced(message) && this.#find(message, this.#at) === NONE) {
      cursor.at = this.#context
      cursor.answer = undefined
    }
    this.#take({ message, at: span }, cursor, undefined)
    this.#stand(cursor)
  }

  /** Replaces the whole list. Usually the new one is the same, or the beginning of it. */
  replace(list: readonly Placed[], span: Span): void {
    const cursor = this.#cursor(NONE, undefined, span, true)
    for (const [i, placed] of list.entries()) this.#take(placed, cursor, list[i + 1]?.message)
    this.#stand(cursor)
  }

  /** Cuts the list before a message. As in Gemini CLI, an unknown message empties it. */
  rewind(id: string, span: Span): void {
    const { rows } = this.#sink
    const found = ["user", "gemini"].map((type) => this.#find({ id, type }, this.#at))
    const row = found.find((each) => each !== NONE && this.#isListed(each, this.#at))
    const first = row === undefined || rows.kind(row) === KIND.compaction
    this.#move(first ? NONE : rows.parent(row), span)
    this.#at = this.#told
    this.#answer = undefined
  }

  /** Handles a move of ours, whose line says which entry the list ends with then. */
  goTo({ id, to }: { id: Uint32Array; to: Row }, span: Span): void {
    this.#sink.move({ id, to, span })
    this.#told = to
    this.#at = to
    this.#answer = undefined
  }

  /** A resume writes an empty list before the right one, so the walk starts from where the rows are. */
  #cursor(at: Row, answer: Answer | undefined, span: Span, list: boolean): Cursor {
    const before = list ? this.#told : this.#at
    return { at, before, branched: false, summed: undefined, answer, span, list }
  }

  #stand({ at, answer }: Cursor): void {
    this.#at = at
    this.#answer = answer
  }

  #take({ message, at: span }: Placed, cursor: Cursor, next: JsonObject | undefined): void {
    const said = authorOf(message)
    if (said === undefined) this.#news(message, span, cursor)
    else if (said.role === "tool" && cursor.answer !== undefined) this.#results(message, span, cursor)
    else {
      const row = this.#find(message, cursor.before)
      if (isSessionContext(message) && cursor.before !== NONE) this.#again(message, row, span, cursor)
      else if (row === NONE) this.#create(message, span, cursor, next)
      else if (!this.#follow(row, cursor)) this.#copy(message, span, row, cursor)
      else this.#amend(row, message, span, "message", cursor.list)
      if (message.type === "gemini") this.#answered(message, span, cursor)
    }
  }

  /** Moves on to a known row if it comes next, and stays at one that already came. */
  #follow(row: Row, cursor: Cursor): boolean {
    if (this.#isListed(row, cursor.at)) return true
    if (!this.#comesNext(row, cursor.at)) return false
    cursor.at = row
    return true
  }

  /** Whether a list that ends with `at` has this row: the summary of a compaction replaces everything before it. */
  #isListed(row: Row, at: Row): boolean {
    const { rows } = this.#sink
    const compaction = at === NONE ? NONE : rows.compaction(at)
    return isOnPath(rows, row, at) && (compaction === NONE || rows.depth(row) >= rows.depth(compaction))
  }

  /** Whether nothing that is sent lies between two entries. A summary replaces everything before it. */
  #comesNext(row: Row, at: Row): boolean {
    const { rows } = this.#sink
    const first = at === NONE || at === this.#context
    if (rows.kind(row) === KIND.compaction) return first
    let above = rows.parent(row)
    while (above !== at && this.#leftOut.has(above)) above = rows.parent(above)
    return above === at || (first && (above === NONE || above === this.#context))
  }

  #create(message: JsonObject, span: Span, cursor: Cursor, next: JsonObject | undefined): void {
    const said = authorOf(message)
    const summary = this.#isSummary(message, cursor, next)
    if (summary) {
      cursor.summed = this.#hashes.upTo(cursor.before)
      cursor.at = cursor.before
    }
    const hash = messageHash(message, "message")
    const kept = said?.origin === "prompt" && cursor.summed?.has(hash) === true
    const row = this.#entry(this.#words(message), span, cursor, {
      kind: summary ? "compaction" : "message",
      role: said?.role ?? "user",
      origin: kept ? "injection" : this.#originOf(said?.origin),
    })
    this.#meant(row, message, hash)
    if (isSessionContext(message) && this.#context === NONE) this.#context = row
  }

  /** Whether this is a summary that replaces the conversation: a new first message, and the model's acknowledgement. */
  #isSummary(message: JsonObject, cursor: Cursor, next: JsonObject | undefined): boolean {
    const first = cursor.at === NONE || cursor.at === this.#context
    const something = cursor.before !== NONE && cursor.before !== this.#context
    if (!first || !something || cursor.branched || message.type !== "user" || isLeftOut(message)) return false
    const thanked = next?.type === "gemini" && plainText(partsOf(next)) === THANKS
    return thanked || plainText(partsOf(message)).includes(SNAPSHOT)
  }

  /** Adds a message that is already elsewhere in the tree. It is not a second prompt if the first is on the path. */
  #copy(message: JsonObject, span: Span, original: Row, cursor: Cursor): void {
    const { rows } = this.#sink
    const { id, row: known } = this.#copyOf(original, cursor.at)
    if (known !== NONE) {
      cursor.at = known
      this.#copies.set(keyOf(message), known)
      this.#amend(known, message, span, "message")
      return
    }
    const said = authorOf(message)
    const again = said?.origin === "prompt" && isOnPath(rows, original, cursor.at)
    const origin = again ? "injection" : this.#originOf(said?.origin)
    const row = this.#entry(id, span, cursor, { kind: "message", role: said?.role ?? "user", origin })
    this.#meant(row, message, messageHash(message, "message"))
    this.#copies.set(keyOf(message), row)
  }

  /** The id of a copy below another entry, and its row if it exists. */
  #copyOf(original: Row, at: Row): { id: Uint32Array; row: Row } {
    const { rows } = this.#sink
    const id = madeWords(0, `${rows.id(original)} under ${at === NONE ? "" : rows.id(at)}`)
    return { id, row: rows.rowOfWords(id) }
  }

  #answered(message: JsonObject, span: Span, cursor: Cursor): void {
    const row = this.#find(message, cursor.at)
    if (cursor.answer?.row !== row) cursor.answer = newAnswer(row)
    if (answeredBy(message).length > 0) this.#results(message, span, cursor)
  }

  #results(message: JsonObject, span: Span, cursor: Cursor): void {
    const { rows } = this.#sink
    const calls = answeredBy(message)
    const answer = cursor.answer as Answer
    const held = rowOfResults(answer, calls)
    if (held !== undefined) {
      if (!held.whole) return
      cover(answer, calls, held.row)
      this.#amend(held.row, message, span, "results")
      return
    }
    const more = answer.covered.size === 0 ? "" : ` ${calls[0]}`
    let id = madeWords(0, `${rows.id(answer.row)} results${more}`)
    let row = rows.rowOfWords(id)
    if (row !== NONE && !this.#follow(row, cursor)) {
      ;({ id, row } = this.#copyOf(row, cursor.at))
      if (row !== NONE) cursor.at = row
    }
    if (row === NONE) {
      row = this.#entry(id, span, cursor, { kind: "message", role: "tool", origin: "tool" })
      this.#hashes.set(row, messageHash(message, "results"))
    } else this.#amend(row, message, span, "results")
    cover(answer, calls, row)
  }

  /** Handles a repeated description of the folder: off the path, unless the conversation began with it. */
  #again(message: JsonObject, row: Row, span: Span, cursor: Cursor): void {
    if (row === NONE) this.#news(message, span, cursor)
    else if (row === this.#context) this.#follow(row, cursor)
  }

  /** Adds a message from Gemini CLI to the person, off the path: such messages are not in the lists that it writes. */
  #news(message: JsonObject, span: Span, cursor: Cursor): void {
    const id = this.#words(message)
    if (this.#sink.rows.rowOfWords(id) !== NONE) return
    this.#sink.entry({ id, parent: cursor.at, kind: "other", movesHead: false, span })
  }

  #entry(id: Uint32Array, span: Span, cursor: Cursor, what: Pick<ScannedEntry, "kind" | "role" | "origin">): Row {
    if (cursor.at !== this.#told) this.#move(cursor.at, cursor.span)
    const row = this.#sink.entry({ id, parent: cursor.at, span, ...what })
    this.#told = row
    cursor.at = row
    cursor.branched = true
    return row
  }

  #move(to: Row, span: Span): void {
    const id = madeWords(0, `${this.#session.name} move ${span.source} ${span.offset} ${this.#sink.rows.size}`)
    this.#sink.move({ id, to, span })
    this.#told = to
  }

  #amend(row: Row, message: JsonObject, span: Span, as: "message" | "results", list = true): void {
    const hash = messageHash(message, as)
    if (list && this.#hashes.get(row) === hash) return
    this.#sink.amend(row, span)
    if (as === "message") this.#meant(row, message, hash)
    else this.#hashes.set(row, hash)
  }

  #meant(row: Row, message: JsonObject, hash: number): void {
    this.#hashes.set(row, hash)
    if (isLeftOut(message)) this.#leftOut.add(row)
    else this.#leftOut.delete(row)
  }

  #originOf(origin: Origin | undefined): Origin {
    if (origin === "prompt" && this.#session.task) return "task"
    return origin ?? "unknown"
  }

  /** The row of a message on the path to `at`, or anywhere; NONE if it is new. */
  #find(message: JsonObject, at: Row): Row {
    const { rows } = this.#sink
    const copy = this.#copies.get(keyOf(message))
    if (copy !== undefined && isOnPath(rows, copy, at)) return copy
    return rows.rowOfWords(this.#words(message))
  }

  /** Most ids are UUIDs. If an id already belongs to a message of another role, a new one is derived. */
  #words(message: JsonObject): Uint32Array {
    const { rows } = this.#sink
    const key = `gemini ${this.#session.name} ${keyOf(message)}`
    const words = uuidWords(message.id) ?? madeWords(0, key)
    const row = rows.rowOfWords(words)
    if (row === NONE || rows.kind(row) !== KIND.message) return words
    const role = message.type === "gemini" ? "assistant" : "user"
    return ROLES[rows.role(row)] === role ? words : madeWords(0, key)
  }
}

function keyOf(message: JsonObject): string {
  return `${textField(message, "type") ?? ""} ${textField(message, "id") ?? ""}`
}
