// Rows of a session of Neovate Code. Each message names its parent; Neovate continues from the last message of the file.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import { ROLES } from "../../model/record/origin.ts"
import { madeWords, uuidWords } from "../ids.ts"
import type { Scanner, Sink, Span } from "../port.ts"
import { millis, numberField, parseLine } from "../shared/json-line.ts"
import { titleIn } from "./header.ts"
import { isCompaction, saidBy } from "./message.ts"

export class NeovateScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: string
  /** The row of the last message, when that is not where the rows end. */
  #head: Row | undefined
  /** An answer and the last result of one of its calls. */
  #results: { of: Row; last: Row } | undefined

  constructor(sink: Sink, session: string, state: Json | undefined) {
    this.#sink = sink
    this.#session = session
    const known = isObject(state) ? state : {}
    const [of, last] = [numberField(known, "of"), numberField(known, "last")]
    this.#head = numberField(known, "head")
    if (of !== undefined && last !== undefined) this.#results = { of, last }
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined) this.#sink.damaged(span)
    else if (line.type === "message") this.#message(line, span)
    else if (line.type === "config" || line.type === "custom-title") this.#title(line, span)
  }

  state(): Json {
    return { ...(this.#head !== undefined && { head: this.#head }), ...this.#results }
  }

  head(): Row | undefined {
    return this.#head
  }

  #message(line: JsonObject, span: Span): void {
    const id = idOf(this.#session, line.uuid)
    const said = saidBy(line)
    if (id === undefined) {
      this.#sink.damaged(span)
      return
    }
    const known = this.#sink.rows.rowOfWords(id)
    if (known !== NONE) {
      this.#sink.amend(known, span)
      this.#head = known
      return
    }
    const { parent, lost } = this.#parentOf(line)
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
    this.#head = undefined
    this.#follow(row, parent, role === "tool")
  }

  #parentOf(line: JsonObject): { parent: Row; lost: boolean } {
    const { rows } = this.#sink
    const at = this.#head ?? rows.head
    const named = idOf(this.#session, line.parentUuid)
    if (named === undefined) return { parent: this.#continues(line, at) ? at : NONE, lost: false }
    const parent = rows.rowOfWords(named)
    // Results of parallel calls may all name the answer as their parent. Here one stands behind the other.
    const beside = saidBy(line)?.role === "tool" && this.#results?.of === parent
    return { parent: beside ? (this.#results?.last ?? parent) : parent, lost: parent === NONE }
  }

  /**
   * A summary continues what it sums up, although the file says that it begins a conversation. So does the answer behind
   * it: Neovate 0.17 forgets the summary when it writes that one.
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

/** Ids are UUIDs; whatever else a file has for one gets an id made from it. */
function idOf(session: string, uuid: Json | undefined): Uint32Array | undefined {
  if (typeof uuid !== "string" || uuid === "") return undefined
  return uuidWords(uuid) ?? madeWords(0, `neovate ${session} ${uuid}`)
}
