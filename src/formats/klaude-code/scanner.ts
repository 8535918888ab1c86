// Makes the rows of a Klaude Code session. Its file only grows; a rewind or a withdrawn prompt is a line that moves the head.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { madeWords } from "../ids.ts"
import type { ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { authorOf, checkpointIn } from "./origin.ts"

export class KlaudeScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: string
  readonly #isTask: boolean
  #tip: Row
  /** The last entry that marks each checkpoint, by number. */
  readonly #checkpoints: Map<number, Row>

  constructor(sink: Sink, session: { name: string; isTask: boolean }, state: Json | undefined) {
    const known = isObject(state) ? state : {}
    this.#sink = sink
    this.#session = session.name
    this.#isTask = session.isTask
    this.#tip = numberField(known, "tip") ?? NONE
    const pairs = listField(known, "checkpoints").filter((pair) => Array.isArray(pair))
    this.#checkpoints = new Map(pairs.map(([number, row]) => [Number(number), Number(row)]))
  }

  state(): Json {
    return { tip: this.#tip, checkpoints: [...this.#checkpoints].map(([number, row]) => [number, row]) }
  }

  head(): Row {
    return this.#tip
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined || typeof line.type !== "string") {
      this.#sink.damaged(span)
      return
    }
    if (line.type === "RewindEntry" || line.type === "BacktrackEntry") this.#rewind(line, span)
    else if (line.type === "RetractEntry") this.#retract(line, span)
    else this.#add(line, span)
  }

  #add(line: JsonObject, span: Span): void {
    this.#entry(line, span, this.#kindOf(line))
    const checkpoint = checkpointIn(line)
    if (checkpoint !== undefined) this.#checkpoints.set(checkpoint, this.#tip)
  }

  #kindOf(line: JsonObject): Pick<ScannedEntry, "kind" | "role" | "origin" | "system"> {
    if (line.type === "CompactionEntry") return { kind: "compaction" }
    if (line.type === "SystemMessage") return { kind: "state", system: true }
    const said = authorOf(line, this.#isTask)
    return said === undefined ? { kind: "other" } : { kind: "message", role: said.role, origin: said.origin }
  }

  /** The checkpoint stays, followed by the model's note about what it found out. */
  #rewind(line: JsonObject, span: Span): void {
    const to = this.#checkpoints.get(numberField(objectField(line, "data"), "checkpoint_id") ?? -1)
    if (to === undefined) {
      this.#entry(line, span, { kind: "other" })
      return
    }
    this.#move(to, line, span)
    this.#entry(line, span, { kind: "message", role: "user", origin: "note" })
  }

  /** The last prompt was withdrawn before it had an answer. */
  #retract(line: JsonObject, span: Span): void {
    const { rows } = this.#sink
    const prompt = rows.prompt(this.#tip)
    if (prompt === NONE) this.#entry(line, span, { kind: "other" })
    else this.#move(rows.parent(prompt), line, span)
  }

  #move(to: Row, line: JsonObject, span: Span): void {
    this.#sink.move({ id: this.#words(line, span, "move"), to, span })
    this.#tip = to
  }

  #entry(line: JsonObject, span: Span, what: Pick<ScannedEntry, "kind" | "role" | "origin" | "system">): void {
    this.#tip = this.#sink.entry({ id: this.#words(line, span, "entry"), parent: this.#tip, span, ...what })
  }

  #words(line: JsonObject, span: Span, what: string): Uint32Array {
    const time = textField(objectField(line, "data"), "created_at") ?? ""
    // There is no zone in the file, and an id must not depend on this machine's.
    const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`)
    return madeWords(Number.isFinite(ms) ? ms : 0, `${this.#session} ${span.offset} ${what}`)
  }
}
