// Rows of a session of pi. Each line is an entry; the agent continues from the last one, whatever it is.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { isEntryKind } from "../../model/record/kind.ts"
import { madeWords, wordsEndingIn } from "../ids.ts"
import type { ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { millis, objectField, parseLine, textField } from "../shared/json-line.ts"
import { originOf } from "./message.ts"

export class PiScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: string
  /** Rows by the end of their ids. Made when an entry first continues another than the last one. */
  #byEnd: Map<number, Row> | undefined

  constructor(sink: Sink, session: string) {
    this.#sink = sink
    this.#session = session
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined) this.#sink.damaged(span)
    else if (line.type !== "session") this.#entry(line, span)
  }

  state(): Json {
    return null
  }

  /** The last entry that the file holds, which is where the replay ends. */
  head(): undefined {
    return undefined
  }

  #entry(line: JsonObject, span: Span): void {
    const id = wordsEndingIn(millis(line.timestamp), `${this.#session} ${textField(line, "id")}`, line.id)
    if (id === undefined || this.#sink.rows.rowOfWords(id) !== NONE) {
      this.#sink.damaged(span)
      return
    }
    const parent = typeof line.parentId === "string" ? this.#rowOf(line.parentId) : NONE
    const lost = typeof line.parentId === "string" && parent === NONE
    const row = this.#sink.entry({ id, parent, lost, span, ...kindOf(line) })
    this.#byEnd?.set(id[3] as number, row)
    const aside = asideOf(line)
    if (aside !== undefined)
      this.#sink.aside({
        id: madeWords(millis(line.timestamp), `${textField(line, "id")} ${aside}`),
        kind: aside,
        span,
      })
  }

  /** pi shows eight hex digits, which our ids end with. The last entry of that name counts, as in pi. */
  #rowOf(digits: string): Row {
    if (!/^[0-9a-f]{8}$/.test(digits)) return NONE
    const { rows } = this.#sink
    const { head } = rows
    const end = Number.parseInt(digits, 16)
    if (head !== NONE && rows.idEnd(head) === end) return head
    if (this.#byEnd === undefined) {
      this.#byEnd = new Map()
      for (let row = 0; row < rows.size; row++) if (isEntryKind(rows.kind(row))) this.#byEnd.set(rows.idEnd(row), row)
    }
    return this.#byEnd.get(end) ?? NONE
  }
}

function kindOf(line: JsonObject): Pick<ScannedEntry, "kind" | "role" | "origin" | "system"> {
  if (line.type === "compaction") return { kind: "compaction" }
  const role = textField(objectField(line, "message"), "role")
  if (line.type === "message" && role === "system") return { kind: "state", system: true }
  const said = originOf(line)
  return said === undefined ? { kind: "other" } : { kind: "message", ...said }
}

/** A label and a name of the session are entries in pi, and apply to the whole session besides. */
function asideOf(line: JsonObject): "label" | "config" | undefined {
  if (line.type === "label") return "label"
  return line.type === "session_info" ? "config" : undefined
}
