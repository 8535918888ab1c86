// Makes the rows of an opencode session: one conversation without branches. What was reverted stays, after the head, until the
// next prompt.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { madeWords } from "../ids.ts"
import type { Scanner, Sink, Span } from "../port.ts"
import { numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { stepsOf } from "./answer-steps.ts"

export class OpencodeScanner implements Scanner {
  readonly #sink: Sink
  readonly #task: boolean
  #revert: JsonObject | undefined
  #last: Row = NONE
  /** Where opencode would continue, if not at the end. */
  #head: Row | undefined

  constructor(sink: Sink, task: boolean, state: Json | undefined) {
    this.#sink = sink
    this.#task = task
    this.#head = numberField(state, "head")
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    const info = objectField(line, "info")
    if (line === undefined || info === undefined) this.#sink.damaged(span)
    else if (line.parts === undefined) this.#session(info, span)
    else this.#message(line, info, span)
  }

  /** All lines are read again after any change, but not if nothing has changed. */
  state(): Json {
    return this.#head === undefined ? {} : { head: this.#head }
  }

  head(): Row | undefined {
    return this.#head
  }

  #session(info: JsonObject, span: Span): void {
    this.#revert = objectField(info, "revert")
    if (textField(info, "title") === undefined) return
    const id = madeWords(numberField(objectField(info, "time"), "created") ?? 0, `${textField(info, "id") ?? ""} title`)
    this.#sink.aside({ id, kind: "config", span })
  }

  #message(line: JsonObject, info: JsonObject, span: Span): void {
    const name = textField(info, "id")
    if (name === undefined) {
      this.#sink.damaged(span)
      return
    }
    const reverted = name === textField(this.#revert, "messageID") ? this.#revert : undefined
    const from = textField(reverted, "partID")
    if (reverted !== undefined) this.#head = this.#last
    for (const { kind, key, role, origin, parts } of stepsOf(line, this.#task)) {
      const id = stepWords(info, key)
      const turn = origin === "command"
      this.#last = this.#sink.entry({ id, parent: this.#last, kind, role, origin, span, ...(turn && { turn }) })
      // Only the last parts of the message were reverted.
      if (from !== undefined && parts.every((part) => (textField(part, "id") ?? "") < from)) this.#head = this.#last
    }
  }
}

/** The id of a step of a message. */
export function stepWords(info: JsonObject, key: string): Uint32Array {
  const created = numberField(objectField(info, "time"), "created") ?? 0
  return madeWords(created, `${textField(info, "id") ?? ""} ${key}`)
}
