// Makes the rows of a pi session. Each line is an entry; the agent continues from the last one, whatever it is.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { madeWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { millis, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { endOf, entryWords } from "./entry-id.ts"
import type { PiHeader } from "./header.ts"
import { originOf } from "./message.ts"
import { operationIn, piMove } from "./move.ts"

export class PiScanner implements Scanner {
  readonly #sink: Sink
  readonly #header: PiHeader
  /** How many lines came before, to make ids for lines without one. */
  #lines: number
  /** Rows of entries and moves by the end of their ids. Built when an entry first continues one that is not the last. */
  #byEnd: Map<number, Row> | undefined

  constructor(sink: Sink, header: PiHeader, state: Json | undefined) {
    this.#sink = sink
    this.#header = header
    this.#lines = numberField(state, "lines") ?? 0
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined) this.#sink.damaged(span)
    else if (line.type !== "session") this.#line(line, span)
    this.#lines++
  }

  state(): Json {
    return { lines: this.#lines }
  }

  /** Undefined: the last entry of the file, which is where the replay ends. */
  head(): undefined {
    return undefined
  }

  move(request: MoveAsked): AppendedMove {
    return piMove(request, this.#header, (id) => this.#rowOf(id))
  }

  #line(line: JsonObject, span: Span): void {
    const first = this.#header.version < 2
    const id = first ? `line ${this.#lines}` : textField(line, "id")
    const words = id === undefined ? undefined : entryWords(millis(line.timestamp), this.#header.name, id)
    if (id === undefined || words === undefined || this.#sink.rows.rowOfWords(words) !== NONE) {
      this.#sink.damaged(span)
      return
    }
    const { parent, lost } = first ? { parent: this.#sink.rows.head, lost: false } : this.#parentOf(line)
    const operation = lost ? undefined : operationIn(line)
    if (operation !== undefined && this.#sink.rows.rowOfWords(operation) === NONE) {
      const row = this.#sink.move({ id: operation, to: parent, span })
      this.#byEnd?.set(operation[3] as number, row)
      return
    }
    // The person moved in pi, which keeps no record of that.
    if (!lost && parent !== this.#sink.rows.head) {
      this.#sink.move({ id: this.#second(line, id, "move"), to: parent, span })
    }
    // The system prompt at the time of a compaction comes before the compaction itself.
    const system = line.type === "compaction" && objectField(line, "systemMessage") !== undefined
    const above = system ? this.#systemOf(line, id, { parent, lost, span }) : parent
    this.#entry({ id: words, parent: above, lost: lost && !system, span, ...kindOf(line) })
    const aside = asideOf(line)
    if (aside !== undefined) this.#sink.aside({ id: this.#second(line, id, aside), kind: aside, span })
  }

  #systemOf(line: JsonObject, id: string, place: Pick<ScannedEntry, "parent" | "lost" | "span">): Row {
    return this.#entry({ id: this.#second(line, id, "system"), ...place, kind: "state", system: true })
  }

  #entry(entry: ScannedEntry): Row {
    const row = this.#sink.entry(entry)
    this.#byEnd?.set(entry.id[3] as number, row)
    return row
  }

  /** The id of a second row from the same line. */
  #second(line: JsonObject, id: string, use: string): Uint32Array {
    return madeWords(millis(line.timestamp), `${id} ${use}`)
  }

  #parentOf(line: JsonObject): { parent: Row; lost: boolean } {
    const named = textField(line, "parentId")
    const parent = named === undefined ? NONE : this.#rowOf(named)
    return { parent: parent ?? NONE, lost: parent === undefined }
  }

  /** The last entry with that id counts, as in pi. For a move of ours it is the move's target, NONE for the beginning. */
  #rowOf(id: string): Row | undefined {
    const { rows } = this.#sink
    const { head } = rows
    const end = endOf(id)
    if (head !== NONE && rows.idEnd(head) === end) return head
    if (this.#byEnd === undefined) {
      this.#byEnd = new Map()
      for (let row = 0; row < rows.size; row++) {
        const isEntry = isEntryKind(rows.kind(row))
        if (isEntry || (rows.kind(row) === KIND.operation && !this.#byEnd.has(rows.idEnd(row)))) {
          this.#byEnd.set(rows.idEnd(row), row)
        }
      }
    }
    const row = this.#byEnd.get(end)
    return row === undefined || isEntryKind(rows.kind(row)) ? row : rows.headAfter(row)
  }
}

function kindOf(line: JsonObject): Pick<ScannedEntry, "kind" | "role" | "origin" | "system"> {
  if (line.type === "compaction") return { kind: "compaction" }
  if (line.type === "context_edit") return { kind: "state" }
  const role = textField(objectField(line, "message"), "role")
  if (line.type === "message" && role === "system") return { kind: "state", system: true }
  const said = originOf(line)
  return said === undefined ? { kind: "other" } : { kind: "message", ...said }
}

/** In pi a label and a session name are entries, but they also apply to the whole session. */
function asideOf(line: JsonObject): "label" | "config" | undefined {
  if (line.type === "label") return "label"
  return line.type === "session_info" ? "config" : undefined
}
