// Makes the rows of a Codex session. The items of the model's history are its entries, each following the one before; the program's
// own notes make no row, except where they move the head.
import { createHash } from "node:crypto"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import { madeWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { listField, millis, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { markedMove } from "../shared/own-move.ts"
import { authorByMark } from "../shared/retcon-mark.ts"
import { countingOf } from "./counted.ts"
import type { LineageFile } from "./lineage.ts"
import { codexMove } from "./move.ts"
import { type CodexTurn, isAsked, originOf } from "./origin.ts"
import { Replay } from "./replay.ts"
import { usageIn } from "./token-count.ts"

/** What the meaning of the next line depends on. */
interface State {
  turn: CodexTurn
  /** The models that turns used, each with the first row that records it. */
  models: [Row, string][]
  /** A digest of the instructions. */
  instructions: string
  /** The number of the last line, if lines are numbered. */
  ordinal: number | undefined
}

export class CodexScanner implements Scanner {
  readonly #sink: Sink
  readonly #files: () => readonly LineageFile[]
  readonly #state: State
  readonly #replay: Replay

  constructor(sink: Sink, files: () => readonly LineageFile[], state: Json | undefined) {
    this.#sink = sink
    this.#files = files
    this.#state = stateFrom(state)
    this.#replay = new Replay(objectField(state, "replay"))
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    const payload = objectField(line, "payload")
    if (line === undefined || payload === undefined) {
      this.#sink.damaged(span)
      return
    }
    this.#state.ordinal = numberField(line, "ordinal")
    if (line.type === "response_item") this.#item(line, payload, span)
    else if (line.type === "compacted") this.#compacted(line, payload, span)
    else if (line.type === "session_meta") this.#header(line, payload, span)
    else if (line.type === "turn_context") this.#context(line, payload, span)
    else if (line.type === "event_msg") this.#event(line, payload, span)
    else if (!NOTED.has(textField(line, "type") ?? "")) this.#entry(line, span, { kind: "other" })
  }

  state(): Json {
    const { ordinal, ...state } = this.#state
    return { ...state, replay: this.#replay.state(), ...(ordinal !== undefined && { ordinal }) } as unknown as Json
  }

  /** Undefined: the head is where the replay ends. */
  head(): undefined {
    return undefined
  }

  move(request: MoveAsked): AppendedMove {
    const end = { source: this.#files().length - 1, ordinal: this.#state.ordinal }
    return codexMove(request, end, this.#replay)
  }

  #item(line: JsonObject, item: JsonObject, span: Span): void {
    const { turn } = this.#state
    const said = authorByMark(line, originOf(item, turn))
    const row = this.#entry(line, span, said === undefined ? { kind: "other" } : { kind: "message", ...said })
    this.#replay.added(this.#sink.rows, row, countingOf(item))
    if (isAsked(item)) turn.asked = true
  }

  /** Only the first line of a file says what it continues. A fork by an older version contains copies of other headers. */
  #header(line: JsonObject, payload: JsonObject, span: Span): void {
    if (span.offset !== 0) return
    const files = this.#files()
    const file = files[span.source]
    const before = files.findIndex(({ rollout }) => rollout === file?.header.base?.rollout)
    const { rows } = this.#sink
    if (file?.header.base !== undefined && before !== -1 && before < span.source) {
      const last = this.#sink.rowBefore(before, file.header.base.endOffset)
      const [to, isWhole] = [last === NONE ? NONE : rows.headAfter(last), last === rows.size - 1]
      this.#goTo(line, span, to)
      if (!isWhole) this.#replay.continuedFrom(rows, to)
    }
    const text = textField(objectField(payload, "base_instructions"), "text") ?? textField(payload, "instructions")
    const digest = text === undefined ? "" : createHash("sha256").update(text).digest("base64")
    if (text === undefined || digest === this.#state.instructions) return
    this.#state.instructions = digest
    this.#entry(line, span, { kind: "state", system: true })
  }

  #context(line: JsonObject, payload: JsonObject, span: Span): void {
    const model = textField(payload, "model") ?? ""
    if (model === "" || model === this.#modelAt(this.#sink.rows.head)) return
    this.#state.models.push([this.#entry(line, span, { kind: "state" }), model])
  }

  #event(line: JsonObject, event: JsonObject, span: Span): void {
    if (event.type === "task_started" || event.type === "turn_started") {
      this.#state.turn = this.#turnOf(event)
      this.#replay.turnStarted()
    } else if (event.type === "thread_rolled_back") {
      this.#rollBack(line, event, span)
    } else if (event.type === "thread_name_updated") {
      this.#sink.aside({ id: this.#idOf(line, span, "title"), kind: "config", span })
    } else if (event.type === "token_count" && usageIn(event) !== undefined) this.#count(span)
  }

  /** The tokens of an answer are reported after it, and after results that came quickly. */
  #count(span: Span): void {
    const { rows } = this.#sink
    for (let row = rows.head, steps = 0; row !== NONE && steps < MOST_RESULTS; row = rows.parent(row), steps++) {
      const role = rows.kind(row) === KIND.message ? ROLES[rows.role(row)] : undefined
      if (role === "assistant") this.#sink.amend(row, span)
      if (role !== "tool") return
    }
  }

  /** Handles a compaction or, if it is marked as ours, a move that replaced the history by what it was up to an entry. */
  #compacted(line: JsonObject, payload: JsonObject, span: Span): void {
    const { rows } = this.#sink
    const [before, ours] = [rows.head, markedMove(line, rows)]
    const row =
      ours === undefined ? this.#entry(line, span, { kind: "compaction" }) : this.#sink.move({ ...ours, span })
    if (ours !== undefined) this.#state.turn = { ...this.#state.turn, asked: false }
    const items = payload.replacement_history === undefined ? undefined : listField(payload, "replacement_history")
    const counted = items?.some((item) => isObject(item) && countingOf(item) === "counts")
    this.#replay.replaced({ row, before, to: ours?.to ?? row, counted })
  }

  #rollBack(line: JsonObject, event: JsonObject, span: Span): void {
    this.#state.turn = { ...this.#state.turn, asked: false }
    const { rows } = this.#sink
    const back = this.#replay.rollBack(numberField(event, "num_turns") ?? 0)
    const to = back.how === "stays" ? rows.head : back.row
    const ours = markedMove(line, rows)
    // What is left of a replaced history is in no entry: it becomes a compaction of its own.
    if (back.how === "remade") {
      this.#replay.remade(this.#entry(line, span, { kind: "compaction" }, to))
    } else if (ours === undefined) this.#goTo(line, span, to)
    else this.#sink.move({ id: ours.id, to, span })
  }

  #turnOf(event: JsonObject): CodexTurn {
    const attribution = objectField(event, "turn_attribution")
    const parent = this.#files().at(-1)?.header.parent
    const task = attribution === undefined ? parent !== undefined : typeof attribution.parent_turn_id === "string"
    return { started: true, task, asked: false }
  }

  #goTo(line: JsonObject, span: Span, to: Row): void {
    if (to === this.#sink.rows.head) return
    this.#sink.move({ id: this.#idOf(line, span, "move"), to, span })
  }

  /** The model recorded on the path to a row. */
  #modelAt(head: Row): string | undefined {
    const { rows } = this.#sink
    for (let row = rows.state(head); row !== NONE; row = rows.state(rows.parent(row))) {
      const found = this.#state.models.findLast(([at]) => at === row)
      if (found !== undefined) return found[1]
    }
    return undefined
  }

  #entry(line: JsonObject, span: Span, entry: Omit<ScannedEntry, "id" | "parent" | "span">, above?: Row): Row {
    const parent = above ?? this.#sink.rows.head
    return this.#sink.entry({ id: this.#idOf(line, span, ""), parent, span, ...entry })
  }

  /** Ids of items repeat from turn to turn, so only the position is unique. */
  #idOf(line: JsonObject, { source, offset }: Span, use: string): Uint32Array {
    return madeWords(millis(line.timestamp), `codex ${this.#files()[source]?.rollout ?? ""} ${offset} ${use}`)
  }
}

/** No answer has more calls than this. */
const MOST_RESULTS = 256

/** Lines that are only the program's own bookkeeping. */
const NOTED = new Set(["world_state", "token_usage_record"])

function stateFrom(state: Json | undefined): State {
  const turn = objectField(state, "turn")
  return {
    turn: { started: turn?.started === true, task: turn?.task === true, asked: turn?.asked === true },
    models: listField(state, "models") as [Row, string][],
    instructions: textField(state, "instructions") ?? "",
    ordinal: numberField(state, "ordinal"),
  }
}
