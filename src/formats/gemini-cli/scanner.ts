// Makes the rows of a Gemini CLI session. Its file is folded, line by line, into one list of messages: a message is added or
// replaces the one with its id, `$rewindTo` cuts the list, `$set.messages` replaces it. Here the list is the path to the head;
// whatever is cut off stays as a branch.
import type { Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { madeWords } from "../ids.ts"
import type { AppendedMove, MoveAsked, Scanner, Sink, Span } from "../port.ts"
import { listField, objectField, parseLine } from "../shared/json-line.ts"
import { elementRanges } from "../shared/json-ranges.ts"
import { markedMove } from "../shared/own-move.ts"
import { MessageList } from "./message-list.ts"
import { type GeminiSession, geminiMove } from "./move.ts"
import { isHeader } from "./place.ts"
import { titleIn } from "./titles.ts"

export class GeminiScanner implements Scanner {
  readonly #sink: Sink
  readonly #session: GeminiSession
  readonly #messages: MessageList

  constructor(sink: Sink, session: GeminiSession, state: Json | undefined) {
    this.#sink = sink
    this.#session = session
    this.#messages = new MessageList(sink, session, state)
  }

  line(bytes: Buffer, start: number, end: number, span: Span): void {
    const line = parseLine(bytes, start, end)
    if (line === undefined) {
      this.#sink.damaged(span)
      return
    }
    const set = objectField(line, "$set")
    const ours = markedMove(line, this.#sink.rows)
    if (ours !== undefined) this.#messages.goTo(ours, span)
    else if (typeof line.$rewindTo === "string") this.#messages.rewind(line.$rewindTo, span)
    else if (typeof line.id === "string") this.#messages.add(line, span)
    else if (set !== undefined) {
      const list = elements(bytes, start, end, span, ["$set", "messages"], set)
      if (list !== undefined) this.#messages.replace(list, span)
      this.#title(set, span)
    } else if (isHeader(line)) {
      for (const { message, at } of elements(bytes, start, end, span, ["messages"], line) ?? [])
        this.#messages.add(message, at)
      this.#title(line, span)
    }
  }

  state(): Json {
    return this.#messages.state()
  }

  head(): Row {
    return this.#messages.at
  }

  move(request: MoveAsked): AppendedMove {
    return geminiMove(request, this.#session)
  }

  #title(fields: JsonObject, span: Span): void {
    if (titleIn(fields) === undefined) return
    const id = madeWords(0, `${this.#session.name} title ${span.source} ${span.offset}`)
    this.#sink.aside({ id, kind: "config", span })
  }
}

/** The messages inside a line, each with its own bytes. Undefined if it has no list of messages. */
function elements(
  bytes: Buffer,
  start: number,
  end: number,
  span: Span,
  keys: readonly string[],
  holder: JsonObject,
): { message: JsonObject; at: Span }[] | undefined {
  if (!Array.isArray(holder.messages)) return undefined
  const ranges = elementRanges(bytes, start, end, keys)
  const messages = listField(holder, "messages")
  if (ranges.length !== messages.length) return undefined
  return messages.flatMap((message, i) => {
    const range = ranges[i]
    if (range === undefined || !isObject(message) || typeof message.id !== "string") return []
    const at = { source: span.source, offset: span.offset + range.start - start, length: range.end - range.start }
    return [{ message, at }]
  })
}
