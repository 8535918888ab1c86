// Makes the rows of a Kimi CLI session. A revert, a compaction or a clear rewrites its context, and numbered files keep the earlier
// ones. Ids are derived from the entry before and the bytes, so a common beginning of two files has the same entries.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { KIND, type Usage } from "../../model/record/record.ts"
import { madeWords } from "../ids.ts"
import type { ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { listField, numberField, parseLine } from "../shared/json-line.ts"
import { entryWords, isEntryOf, tailBefore } from "./derived-id.ts"
import { isCompaction, programAuthor } from "./origin.ts"
import { textsOf } from "./texts.ts"
import { TypedInputs } from "./typed-inputs.ts"
import { UsageLines } from "./usage-lines.ts"

type What = Pick<ScannedEntry, "kind" | "role" | "origin" | "turn" | "system"> & { typed?: number }

export class KimiCliScanner implements Scanner {
  readonly #sink: Sink
  readonly #inputs: TypedInputs
  /** Whether the session is a sub-agent's, which gets a task and not a prompt. */
  readonly #isTask: boolean
  /** The entry that the next line continues. */
  #tip: Row
  /** The last new entry: where the conversation was before this file. */
  #newest: Row
  #source: number
  /** The rows that the file may repeat after a compaction; once one has been repeated, those that must follow. */
  #kept: Row[]
  #keeps: boolean
  /** For each row, the number of the input that it came from. */
  readonly #typed: Map<Row, number>
  readonly #usage: UsageLines

  constructor(sink: Sink, wire: string, isTask: boolean, state: Json | undefined) {
    const known = isObject(state) ? state : {}
    this.#sink = sink
    this.#isTask = isTask
    this.#inputs = new TypedInputs(wire, numberField(known, "next") ?? 0)
    this.#tip = numberField(known, "tip") ?? NONE
    this.#newest = numberField(known, "newest") ?? NONE
    this.#source = numberField(known, "source") ?? -1
    this.#kept = listField(known, "kept").map(Number)
    this.#keeps = known.keeps === true
    this.#typed = new Map(listField(known, "typed").map((pair) => pairOf(pair)))
    this.#usage = new UsageLines(known.usage)
  }

  state(): Json {
    const typed = [...this.#typed].map(([row, number]) => [row, number])
    const { next } = this.#inputs
    const [tip, newest, source, kept] = [this.#tip, this.#newest, this.#source, this.#kept]
    return { tip, newest, source, kept, keeps: this.#keeps, typed, next, usage: this.#usage.state() }
  }

  head(): Row {
    return this.#tip
  }

  /** When it, or the prompt it belongs to, was typed; undefined if unknown. */
  timeOf(row: Row): number | undefined {
    return (this.#inputOf(row) ?? this.#inputOf(this.#sink.rows.prompt(row)))?.ms
  }

  /** What the person typed for this message. */
  typedAs(row: Row): string | undefined {
    return this.#inputOf(row)?.text
  }

  usageOf(row: Row): Usage | undefined {
    return this.#usage.of(row)
  }

  #inputOf(row: Row) {
    const number = this.#typed.get(row)
    return number === undefined ? undefined : this.#inputs.at(number)
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    if (span.source !== this.#source) this.#begin(span.source)
    const line = parseLine(bytes, start, end)
    if (line === undefined) this.#sink.damaged(span)
    else if (line.role === "_usage") this.#usage.count(numberField(line, "token_count"))
    else {
      this.#take(line, bytes.subarray(start, end), span)
      this.#usage.passed(line.role === "assistant" ? this.#tip : NONE)
    }
  }

  #begin(source: number): void {
    this.#source = source
    this.#tip = NONE
    this.#kept = []
    this.#keeps = false
    this.#usage.passed(NONE)
  }

  #take(line: JsonObject, bytes: Buffer, span: Span): void {
    if (this.#repeats(bytes, span)) return
    const { rows } = this.#sink
    const compacts = isCompaction(line) && this.#newest !== NONE
    const parent = compacts ? this.#newest : this.#tip
    const id = entryWords(rows, parent, bytes)
    const known = compacts ? this.#compactionOf(bytes) : rows.rowOfWords(id)
    this.#tip = known === NONE ? this.#entry({ id, parent, span }, this.#whatIs(line)) : known
    if (compacts) this.#kept = tailBefore(rows, this.#tip)
  }

  /** The compaction in an earlier file that this file continues too. */
  #compactionOf(bytes: Buffer): Row {
    const { rows } = this.#sink
    let row = rows.compaction(this.#newest)
    while (row !== NONE && !isEntryOf(rows, row, bytes)) row = rows.compaction(rows.parent(row))
    return row
  }

  /** Whether it is a message that a compaction kept, which the file repeats after it. */
  #repeats(bytes: Buffer, span: Span): boolean {
    const { rows } = this.#sink
    const isIt = (row: Row) => isEntryOf(rows, row, bytes)
    const at = this.#keeps ? this.#kept.findIndex(isIt) : this.#kept.findLastIndex(isIt)
    if (at === -1) {
      this.#kept = []
      return false
    }
    // The first one becomes the compaction's new body, to record where the kept tail starts.
    if (!this.#keeps && this.#tip === this.#newest) this.#sink.amend(this.#tip, span)
    this.#keeps = true
    this.#kept = this.#kept.slice(at + 1).filter((row) => rows.kind(row) === KIND.message)
    return true
  }

  #entry(entry: Pick<ScannedEntry, "id" | "parent" | "span">, { typed, ...what }: What): Row {
    if (entry.parent !== this.#newest && this.#newest !== NONE) this.#move(entry.parent, entry.span)
    this.#newest = this.#sink.entry({ ...entry, ...what })
    if (typed !== undefined) this.#typed.set(this.#newest, typed)
    return this.#newest
  }

  /** The file continues from an earlier entry than the file before it: a revert or a clear. */
  #move(to: Row, span: Span): void {
    const { rows } = this.#sink
    const key = `move ${rows.id(this.#newest)} ${to === NONE ? "" : rows.id(to)}`
    this.#sink.move({ id: madeWords(0, key), to, span })
  }

  #whatIs(line: JsonObject): What {
    if (line.role === "_system_prompt") return { kind: "state", system: true }
    if (line.role === "_checkpoint") return { kind: "checkpoint" }
    if (line.role !== "user" && line.role !== "assistant" && line.role !== "tool") return { kind: "other" }
    if (isCompaction(line)) return { kind: "compaction" }
    const said = programAuthor(line)
    if (said !== undefined) return { kind: "message", role: said.role, origin: said.origin }
    return { kind: "message", role: "user", ...this.#typedIn(line) }
  }

  #typedIn(line: JsonObject): Pick<What, "origin" | "turn" | "typed"> {
    const inputs = this.#inputs
    const prompt = this.#isTask ? "task" : "prompt"
    const typed = inputs.take(textsOf(line.content).join("\n"))
    if (typed !== undefined) return { typed, origin: inputs.at(typed)?.as === "steer" ? "steer" : prompt }
    const command = inputs.takeCommand()
    if (command !== undefined) return { typed: command, origin: "command", turn: true }
    // The wire log may be missing, or written later.
    return { origin: inputs.isAtEnd ? prompt : "unknown" }
  }
}

function pairOf(pair: Json): [Row, number] {
  return Array.isArray(pair) ? [Number(pair[0]), Number(pair[1])] : [NONE, 0]
}
