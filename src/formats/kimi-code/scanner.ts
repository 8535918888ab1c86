// Makes the rows of a Kimi Code session. A message is a line; an answer is a run of lines: its parts, its calls and their results.
import { NONE, promptAt, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { madeWords, uuidWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, ScannedEntry, Scanner, Sink, Span } from "../port.ts"
import { millis, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { LineHeads } from "./line-heads.ts"
import { messageKey } from "./message-key.ts"
import { kimiCodeMove } from "./move.ts"
import { OpenStep } from "./open-step.ts"
import { ANSWER, RESULT, saidOn } from "./origin.ts"
import { isSkipped } from "./skipped.ts"
import { WireBranches } from "./wire-branches.ts"

export class KimiCodeScanner implements Scanner {
  readonly #sink: Sink
  readonly #agent: string
  readonly #heads: LineHeads
  readonly #branches: WireBranches
  readonly #step: OpenStep
  #line: number
  #tip: Row
  /** The number of the `context.undo` that an `agent.switched` has already carried out. */
  #paired: number
  /** Some line was not JSON. */
  #unreadable: boolean
  /** The last line with a system prompt, which an emptied conversation keeps. */
  #profile: Span | undefined

  /** `agent`: the agent whose wire log it is. */
  constructor(sink: Sink, agent: string, state: Json | undefined) {
    const known = isObject(state) ? state : {}
    this.#sink = sink
    this.#agent = agent
    this.#heads = LineHeads.from(known.heads)
    this.#branches = new WireBranches(this.#heads, known.branches, NONE)
    this.#step = new OpenStep(known.step)
    this.#line = numberField(known, "line") ?? 0
    this.#tip = numberField(known, "tip") ?? NONE
    this.#paired = numberField(known, "paired") ?? 0
    this.#unreadable = known.unreadable === true
    this.#profile = (objectField(known, "profile") as unknown as Span | undefined) ?? undefined
  }

  state(): Json {
    const [heads, branches, step] = [this.#heads.state(), this.#branches.state(), this.#step.state()]
    const profile = (this.#profile ?? null) as unknown as Json
    const [line, tip, paired, unreadable] = [this.#line, this.#tip, this.#paired, this.#unreadable]
    return { line, tip, paired, unreadable, profile, heads, branches, step }
  }

  head(): Row {
    return this.#tip
  }

  move(request: MoveAsked): AppendedMove {
    const [agent, branches, last, unreadable] = [this.#agent, this.#branches, this.#line, this.#unreadable]
    return kimiCodeMove(request, { agent, branches, last, unreadable })
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    this.#line++
    if (isSkipped(bytes, start, end)) return
    const line = parseLine(bytes, start, end)
    if (line !== undefined) this.#take(line, span, () => bytes.toString("latin1", start, end))
    else {
      this.#unreadable = true
      this.#sink.damaged(span)
    }
    this.#heads.add(this.#line, this.#tip, beginsStep(line))
  }

  #take(line: JsonObject, span: Span, text: () => string): void {
    switch (textField(line, "type") ?? "") {
      case "profile.bind":
      case "config.update":
        this.#config(line, span, text)
        break
      case "context.append_message":
        this.#message(line, span, text)
        break
      case "context.append_loop_event":
        this.#event(line, span)
        break
      case "context.apply_compaction":
        this.#settle()
        this.#entry({ ...this.#ids(line, text()), kind: "compaction", span })
        break
      case "context.clear":
        this.#clear(line, span, text)
        break
      case "context.undo":
        this.#undo(line, span, text)
        break
      case "agent.switched":
        this.#switched(line, span, text)
        break
      default:
    }
  }

  #switched(line: JsonObject, span: Span, text: () => string): void {
    const to = this.#branches.switched(line, this.#line)
    if (to === undefined) this.#sink.damaged(span)
    else this.#move(to, line, span, text)
    this.#paired = numberField(line, "legacyUndoLine") ?? 0
  }

  #config(line: JsonObject, span: Span, text: () => string): void {
    const system = typeof line.systemPrompt === "string"
    if (!system && typeof line.modelAlias !== "string") return
    if (system) this.#profile = span
    this.#entry({ ...this.#ids(line, text()), kind: "state", system, span })
  }

  #message(line: JsonObject, span: Span, text: () => string): void {
    const message = objectField(line, "message") ?? {}
    const said = saidOn(line)
    const named = textField(message, "id")
    const ids = this.#ids(line, named === undefined ? text() : messageKey(named))
    if (said === undefined) this.#entry({ ...ids, kind: "other", span })
    else if (this.#step.isAwaited && said.origin !== "prompt" && said.turn !== true) {
      this.#step.wait({ ...said, ms: ids.ms, key: ids.key, span })
    } else {
      // Calls still open when a person continues have lost their results.
      this.#settle()
      this.#entry({ ...ids, kind: "message", ...said, span })
    }
  }

  /** Like the program, ignores events that belong to no open step or answer none of its calls. */
  #event(line: JsonObject, span: Span): void {
    const event = objectField(line, "event") ?? {}
    const [uuid, call] = [textField(event, "uuid") ?? "", textField(event, "toolCallId") ?? ""]
    const step = this.#step
    const ms = millis(line.time)
    switch (textField(event, "type") ?? "") {
      case "step.begin":
        this.#settle()
        step.begin(uuid)
        return
      case "content.part":
      case "tool.call":
        if (!step.accepts(textField(event, "stepUuid"))) return
        step.last = this.#entry({ ms, key: `${textField(event, "type")} ${uuid}`, kind: "message", ...ANSWER, span })
        if (event.type === "tool.call") step.call(call)
        return
      case "tool.result":
        if (!step.answered(call)) return
        this.#entry({ ms, key: `result ${call} ${textField(event, "parentUuid")}`, kind: "message", ...RESULT, span })
        if (!step.hasCalls) this.#flush()
        return
      case "step.end":
        if (step.last !== NONE && step.is(uuid)) this.#sink.amend(step.last, span)
        // The results of a stopped step may still come.
        if (!step.hasCalls || (event.finishReason !== "interrupted" && event.finishReason !== "error")) this.#settle()
        return
      default:
    }
  }

  #clear(line: JsonObject, span: Span, text: () => string): void {
    if (this.#tip === NONE) return
    this.#move(NONE, line, span, text)
    if (this.#profile === undefined) return
    this.#entry({ ms: millis(line.time), key: `profile ${text()}`, kind: "state", system: true, span: this.#profile })
  }

  /** Goes back by some prompts, unless a compaction is in between. */
  #undo(line: JsonObject, span: Span, text: () => string): void {
    if (this.#line === this.#paired) return
    const { rows } = this.#sink
    const count = numberField(line, "count") ?? 0
    if (!Number.isSafeInteger(count) || count < 1) return
    const prompt = promptAt(rows, this.#tip, rows.round(this.#tip) - count + 1)
    if (prompt === NONE || rows.compaction(prompt) !== rows.compaction(this.#tip)) return
    this.#move(rows.parent(prompt), line, span, text)
  }

  #move(to: Row, line: JsonObject, span: Span, text: () => string): void {
    this.#settle()
    const { ms, key } = this.#ids(line, `${this.#line} ${text()}`)
    const operation = uuidWords(objectField(line, "retcon")?.operation)
    const ours = operation !== undefined && this.#sink.rows.rowOfWords(operation) === NONE
    this.#sink.move({ id: ours ? operation : madeWords(ms, key), to, span })
    this.#tip = to
  }

  #settle(): void {
    this.#step.end()
    this.#flush()
  }

  #flush(): void {
    for (const waiting of this.#step.takeWaiting()) this.#entry({ kind: "message", ...waiting })
  }

  #ids(line: JsonObject, key: string): { ms: number; key: string } {
    return { ms: millis(line.time), key }
  }

  #entry({ ms, key, ...entry }: Omit<ScannedEntry, "id" | "parent"> & { ms: number; key: string }): Row {
    const { rows } = this.#sink
    let id = madeWords(ms, key)
    // The same line twice is two messages, and the second continues another entry than the first.
    if (rows.rowOfWords(id) !== NONE) {
      id = madeWords(ms, `${key} after ${this.#tip === NONE ? "" : rows.id(this.#tip)}`)
    }
    this.#tip = this.#sink.entry({ ...entry, id, parent: this.#tip })
    return this.#tip
  }
}

function beginsStep(line: JsonObject | undefined): boolean {
  return line?.type === "context.append_loop_event" && objectField(line, "event")?.type === "step.begin"
}
