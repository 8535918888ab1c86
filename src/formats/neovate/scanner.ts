// Makes the rows of a Neovate Code session. Each message names its parent; Neovate continues from the last message of the file.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { ROLES } from "../../model/record/origin.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { madeWords, uuidWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, Scanner, Sink, Span } from "../port.ts"
import { millis, numberField, parseLine } from "../shared/json-line.ts"
import { markedMove } from "../shared/own-move.ts"
import { titleIn } from "./header.ts"
import { authorOf, isCompaction } from "./message.ts"
import { neovateMove } from "./move.ts"

export class NeovateScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: string
  /** Some line was not JSON. */
  #unreadable: boolean
  /** An answer and the last result of one of its calls. */
  #results: { of: Row; last: Row } | undefined

  constructor(sink: Sink, session: string, state: Json | undefined) {
    this.#sink = sink
    this.#session = session
    const known = isObject(state) ? state : {}
    const [of, last] = [numberField(known, "of"), numberField(known, "last")]
    this.#unreadable = known.unreadable === true
    if (of !== undefined && last !== undefined) this.#results = { of, last }
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined) {
      this.#unreadable = true
      this.#sink.damaged(span)
    } else if (line.type === "message") this.#message(line, span)
    else if (line.type === "config" || line.type === "custom-title") this.#title(line, span)
  }

  state(): Json {
    return { unreadable: this.#unreadable, ...this.#results }
  }

  /** Undefined: the last message of the file, which is where the replay ends. */
  head(): undefined {
    return undefined
  }

  move(request: MoveAsked): AppendedMove {
    return neovateMove(request, this.#unreadable)
  }

  #message(line: JsonObject, span: Span): void {
    const id = idOf(this.#session, line.uuid)
    const said = authorOf(line)
    if (id === undefined) {
      this.#sink.damaged(span)
      return
    }
    const { rows } = this.#sink
    const ours = markedMove(line, rows)
    if (ours !== undefined) {
      this.#sink.move({ ...ours, span })
      return
    }
    const known = rows.rowOfWords(id)
    if (known !== NONE && !isEntryKind(rows.kind(known))) {
      this.#sink.damaged(span)
      return
    }
    if (known !== NONE) {
      this.#sink.amend(known, span)
      this.#goTo(known, line, span)
      return
    }
    const { parent, lost } = this.#parentOf(line)
    if (!lost && said?.role === "user") this.#goTo(parent, line, span)
    const kind = isCompaction(line) ? "compaction" : said === undefined ? "other" : "message"
    const { role, origin, turn } = said ?? {}
    const row = this.#sink.entry({
      id,
      parent,
      lost,
      kind,
      ...(role !== undefined && { role }),
      ...(origin !== undefined && { origin }),
      ...(turn !== undefined && { turn }),
      span,
    })
    this.#follow(row, parent, role === "tool")
  }

  /** The person moved in Neovate, which keeps no record of that. */
  #goTo(to: Row, line: JsonObject, span: Span): void {
    if (to === this.#sink.rows.head) return
    const key = `neovate ${this.#session} move ${span.offset}`
    this.#sink.move({ id: madeWords(millis(line.timestamp), key), to, span })
  }

  #parentOf(line: JsonObject): { parent: Row; lost: boolean } {
    const { rows } = this.#sink
    const at = rows.head
    const named = idOf(this.#session, line.parentUuid)
    if (named === undefined) return { parent: this.#continues(line, at) ? at : NONE, lost: false }
    const found = rows.rowOfWords(named)
    // After a move, the parent is the move's target.
    const parent = found !== NONE && rows.kind(found) === KIND.operation ? rows.headAfter(found) : found
    // Results of parallel calls may all name the answer as their parent. Here one comes after the other.
    const beside = authorOf(line)?.role === "tool" && this.#results?.of === parent
    return { parent: beside ? (this.#results?.last ?? parent) : parent, lost: parent === NONE }
  }

  /**
   * A summary continues what it summarises, although the file says that it begins a conversation. So does the answer after it:
   * Neovate 0.17 forgets the summary when it writes that answer.
   */
  #continues(line: JsonObject, at: Row): boolean {
    if (at === NONE) return false
    return isCompaction(line) || (line.role === "assistant" && this.#sink.rows.kind(at) === KIND.compaction)
  }

  #follow(row: Row, parent: Row, result: boolean): void {
    const { rows } = this.#sink
    if (!result || parent === NONE) this.#results = undefined
    else if (this.#results?.last === parent) this.#results = { of: this.#results.of, last: row }
    else this.#results = ROLES[rows.role(parent)] === "assistant" ? { of: parent, last: row } : undefined
  }

  #title(line: JsonObject, span: Span): void {
    if (titleIn(line) === undefined) return
    const key = `neovate ${this.#session} title ${span.offset}`
    this.#sink.aside({ id: madeWords(millis(line.timestamp), key), kind: "config", span })
  }
}

/** Ids are UUIDs; for anything else in their place, an id is derived from it. */
function idOf(session: string, uuid: Json | undefined): Uint32Array | undefined {
  if (typeof uuid !== "string" || uuid === "") return undefined
  return uuidWords(uuid) ?? madeWords(0, `neovate ${session} ${uuid}`)
}
