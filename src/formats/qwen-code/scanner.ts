// Makes the rows of a Qwen Code session. Each line names the one before it; Qwen Code continues from the last.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { madeWords, uuidWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { millis, parseLine, textField } from "../shared/json-line.ts"
import { markedMove } from "../shared/own-move.ts"
import { authorOf, compressedIn, titleIn } from "./message.ts"
import { qwenMove } from "./move.ts"

/** Lines that Qwen Code passes over when it looks for where to continue. */
const ASIDE: ReadonlySet<string | undefined> = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_sources_snapshot",
])

export class QwenScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: string

  constructor(sink: Sink, session: string) {
    this.#sink = sink
    this.#session = session
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    // Such a line has nothing to it: Qwen Code ignores it too.
    if (line !== undefined && Object.keys(line).length === 0) return
    const id = uuidWords(textField(line, "uuid"))
    if (line === undefined || id === undefined) this.#sink.damaged(span)
    else this.#line(line, id, span)
  }

  state(): Json {
    return null
  }

  /** Undefined: the last line, which is where the replay ends. */
  head(): undefined {
    return undefined
  }

  move(request: MoveAsked): AppendedMove {
    return qwenMove(request)
  }

  #line(line: JsonObject, id: Uint32Array, span: Span): void {
    const { rows } = this.#sink
    const ours = markedMove(line, rows)
    if (ours !== undefined) {
      this.#sink.move({ ...ours, span })
      return
    }
    const known = rows.rowOfWords(id)
    if (known !== NONE) {
      if (isEntryKind(rows.kind(known))) this.#sink.amend(known, span)
      else this.#sink.damaged(span)
      return
    }
    const { parent, lost } = this.#parentOf(line)
    const aside = line.type === "system" && ASIDE.has(textField(line, "subtype"))
    // The person went back in Qwen Code.
    if (!lost && !aside && parent !== rows.head)
      this.#sink.move({ id: this.#second(line, "move", span), to: parent, span })
    this.#sink.entry({ id, parent, lost, span, ...kindOf(line), ...(aside && { movesHead: false }) })
    if (titleIn(line) !== undefined) this.#sink.aside({ id: this.#second(line, "title", span), kind: "config", span })
  }

  /** The id of a second row from the same line. */
  #second(line: JsonObject, use: string, span: Span): Uint32Array {
    return madeWords(millis(line.timestamp), `qwen-code ${this.#session} ${span.offset} ${use}`)
  }

  /** Of a move of ours it is the move's target. */
  #parentOf(line: JsonObject): { parent: Row; lost: boolean } {
    const { rows } = this.#sink
    const named = textField(line, "parentUuid")
    if (named === undefined) return { parent: NONE, lost: false }
    const words = uuidWords(named)
    const row = words === undefined ? NONE : rows.rowOfWords(words)
    if (row === NONE) return { parent: NONE, lost: true }
    return { parent: rows.kind(row) === KIND.operation ? rows.headAfter(row) : row, lost: false }
  }
}

function kindOf(line: JsonObject): Pick<ScannedEntry, "kind" | "role" | "origin"> {
  if (compressedIn(line) !== undefined) return { kind: "compaction" }
  const said = authorOf(line)
  return said === undefined ? { kind: "other" } : { kind: "message", role: said.role, origin: said.origin }
}
