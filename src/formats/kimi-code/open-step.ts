// The answer being scanned: its step, its calls without a result, and the messages that wait for those.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json } from "../../model/json.ts"
import type { Span } from "../port.ts"
import { listField, numberField, textField } from "../shared/json-line.ts"
import type { KimiAuthor } from "./origin.ts"

/** A message that came during an answer. The model gets it after the answer and its results. */
export type WaitingMessage = KimiAuthor & { ms: number; key: string; span: Span }

/** The most messages to hold back during one answer. */
const MOST_WAITING = 256

export class OpenStep {
  #uuid: string | undefined
  readonly #calls: Set<string>
  #waiting: WaitingMessage[]
  /** The last piece of its answer, or NONE. */
  last: Row

  constructor(state: Json | undefined) {
    this.#uuid = textField(state, "uuid")
    this.#calls = new Set(listField(state, "calls").map(String))
    this.#waiting = listField(state, "waiting").filter(isObject) as unknown as WaitingMessage[]
    this.last = numberField(state, "last") ?? NONE
  }

  state(): Json {
    const waiting = this.#waiting as unknown as Json
    return { uuid: this.#uuid ?? null, calls: [...this.#calls], waiting, last: this.last }
  }

  begin(uuid: string): void {
    this.#uuid = uuid
    this.last = NONE
  }

  is(uuid: string): boolean {
    return uuid === this.#uuid
  }

  accepts(step: string | undefined): boolean {
    return step !== undefined && step === this.#uuid
  }

  call(id: string): void {
    this.#calls.add(id)
  }

  /** False if no call with that id waits. */
  answered(id: string): boolean {
    return this.#calls.delete(id)
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0
  }

  /** Whether messages must wait now. If too many do, the answer will never be finished. */
  get isAwaited(): boolean {
    return this.#uuid !== undefined && this.#waiting.length < MOST_WAITING
  }

  wait(message: WaitingMessage): void {
    this.#waiting.push(message)
  }

  takeWaiting(): WaitingMessage[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  end(): void {
    this.#uuid = undefined
    this.#calls.clear()
    this.last = NONE
  }
}
