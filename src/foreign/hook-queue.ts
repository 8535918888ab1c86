// Snapshots that hooks took, until the entries they are about are met. A hook runs before the agent has written the line, and
// names only the prompt and the call. Snapshots keep their order, which is that of time: calls at the same time overlap in it.
import type { LineHookNames } from "../formats/port.ts"
import { NONE, type Row } from "../history/tree/tree.ts"
import type { HookNames, LogRecord, SnapshotRecord } from "../model/record/record.ts"

export interface Hooked {
  record: SnapshotRecord
  number: number
}

/** With the entry that it is about. */
export interface PlacedHook extends Hooked {
  entry: Row
}

/** Undefined: no hook took it, or it says nothing that could be found. */
export function hookOf(record: LogRecord): HookNames | undefined {
  if (record.type !== "snapshot" || typeof record.hook !== "object" || record.hook === null) return undefined
  const { prompt, call } = record.hook
  return typeof prompt === "string" || typeof call === "string" ? record.hook : undefined
}

export class HookQueue {
  #waiting: Hooked[] = []
  /** What snapshots wait for, and where it was met: NONE until then. */
  readonly #prompts = new Map<string, Row>()
  readonly #calls = new Map<string, Row>()

  get size(): number {
    return this.#waiting.length
  }

  clear(): void {
    this.#waiting = []
    this.#prompts.clear()
    this.#calls.clear()
  }

  add(hooked: Hooked, { prompt, call, agent }: HookNames): void {
    this.#waiting.push(hooked)
    if (prompt !== undefined && !this.#prompts.has(prompt)) this.#prompts.set(prompt, NONE)
    if (call !== undefined && agent === undefined && !this.#calls.has(call)) this.#calls.set(call, NONE)
  }

  /** Whether a snapshot waits for it. */
  isWanted = (id: string): boolean => this.#prompts.get(id) === NONE || this.#calls.get(id) === NONE

  /** A line comes with the prompt of a round that begins. What still waits from before belongs before that line. */
  passedBy({ prompt }: LineHookNames): Hooked[] {
    if (prompt === undefined || this.#prompts.get(prompt) !== NONE) return []
    const first = this.#waiting.findIndex(({ record }) => beginsRound(record, prompt))
    return first <= 0 ? [] : this.#waiting.splice(0, first)
  }

  /** The entry of that line. */
  meet({ prompt, calls }: LineHookNames, entry: Row, isPrompt: boolean): void {
    if (isPrompt && prompt !== undefined && this.#prompts.get(prompt) === NONE) this.#prompts.set(prompt, entry)
    for (const call of calls) if (this.#calls.get(call) === NONE) this.#calls.set(call, entry)
  }

  /** Takes those whose entry is known, up to the first one whose is not. */
  takeMet(): PlacedHook[] {
    const end = this.#waiting.findIndex(({ record }) => this.#entryOf(record) === NONE)
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end).map((each) => this.#placed(each))
  }

  /** At the end of all lines: takes all up to the last whose entry is known. The entry of others among them is NONE. */
  takeRest(): PlacedHook[] {
    const last = this.#waiting.findLastIndex(({ record }) => this.#entryOf(record) !== NONE)
    return this.#waiting.splice(0, last + 1).map((each) => this.#placed(each))
  }

  /** It was placed at this entry, for want of its own: what follows of the same call goes there too. */
  settle({ record }: Hooked, entry: Row): void {
    const { call } = record.hook ?? {}
    if (call !== undefined) this.#calls.set(call, entry)
  }

  #placed(hooked: Hooked): PlacedHook {
    return { ...hooked, entry: this.#entryOf(hooked.record) }
  }

  #entryOf({ hook }: SnapshotRecord): Row {
    const { prompt, call } = hook ?? {}
    if (call !== undefined && this.#calls.has(call)) return this.#calls.get(call) ?? NONE
    return prompt === undefined ? NONE : (this.#prompts.get(prompt) ?? NONE)
  }
}

function beginsRound({ when, hook }: SnapshotRecord, prompt: string): boolean {
  return when === "before" && hook?.prompt === prompt && hook.call === undefined
}
