// Snapshots taken by hooks, waiting for the entries they belong to. A hook runs before the agent has written its line, and names
// only the prompt and the call. Snapshots keep their order in time, so that overlapping calls overlap here too.
import type { LineHookNames } from "../../formats/port.ts"
import { readDigestName } from "../../formats/shared/digest-name.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { HookNames, LogRecord, SnapshotRecord } from "../../model/record/record.ts"

export interface Hooked {
  record: SnapshotRecord
  number: number
}

/** A snapshot together with the entry it belongs to. */
export interface PlacedHook extends Hooked {
  entry: Row
}

/** Undefined if no hook took it, or if it names neither a prompt nor a call. */
export function hookOf(record: LogRecord): HookNames | undefined {
  if (record.type !== "snapshot" || typeof record.hook !== "object" || record.hook === null) return undefined
  const { prompt, call } = record.hook
  return typeof prompt === "string" || typeof call === "string" ? record.hook : undefined
}

export class HookQueue {
  #waiting: Hooked[] = []
  /** The prompts and calls that snapshots wait for, and the row where each was found: NONE until then. */
  readonly #prompts = new Map<string, Row>()
  readonly #calls = new Map<string, Row>()
  /** The rows where sub-agents were started. */
  readonly #started = new Map<string, Row>()

  get size(): number {
    return this.#waiting.length
  }

  clear(): void {
    this.#waiting = []
    this.#prompts.clear()
    this.#calls.clear()
    this.#started.clear()
  }

  add(hooked: Hooked, { prompt, call, agent }: HookNames): void {
    this.#waiting.push(hooked)
    if (prompt !== undefined && !this.#prompts.has(prompt)) this.#prompts.set(prompt, NONE)
    if (call !== undefined && agent === undefined && !this.#calls.has(call)) this.#calls.set(call, NONE)
  }

  /** Whether a snapshot waits for this prompt or call. */
  isWanted = (id: string): boolean => this.#prompts.get(id) === NONE || this.#calls.get(id) === NONE

  /** The latest name until then that a snapshot waits for, of those derived from this digest (`digest-name.ts`). */
  lastTold = (digest: string, until: number, but: readonly string[] = []): string | undefined => {
    let last: { name: string; at: number } | undefined
    for (const met of [this.#prompts, this.#calls]) {
      for (const [name, entry] of met) {
        if (entry !== NONE || !name.startsWith(digest) || but.includes(name)) continue
        const told = readDigestName(name)
        if (told?.digest !== digest || told.at > until || told.at < (last?.at ?? 0)) continue
        last = { name, at: told.at }
      }
    }
    return last?.name
  }

  /** Call with a line that begins a round. Returns the snapshots still waiting from before, which belong before that line. */
  passedBy({ prompt }: LineHookNames): PlacedHook[] {
    if (prompt === undefined || this.#prompts.get(prompt) !== NONE) return []
    const first = this.#waiting.findIndex(({ record }) => beginsRound(record, prompt))
    return first <= 0 ? [] : this.#waiting.splice(0, first).map((each) => this.#placed(each))
  }

  /** Records the entry that this line became. */
  meet({ prompt, calls, started }: LineHookNames, entry: Row, isPrompt: boolean): void {
    if (started !== undefined && !this.#started.has(started)) this.#started.set(started, entry)
    if (isPrompt && prompt !== undefined && this.#prompts.get(prompt) === NONE) this.#prompts.set(prompt, entry)
    for (const call of calls) if (this.#calls.get(call) === NONE) this.#calls.set(call, entry)
  }

  /** Removes and returns the snapshots whose entry is known, up to the first one without. */
  takeMet(): PlacedHook[] {
    const end = this.#waiting.findIndex(({ record }) => this.#entryOf(record) === NONE)
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end).map((each) => this.#placed(each))
  }

  /**
   * After the last line: removes and returns all up to the last snapshot whose entry is known, and those of sub-agents that follow:
   * they may have ids that no line of this session has. Those without an entry have NONE.
   */
  takeRest(): PlacedHook[] {
    let end = this.#waiting.findLastIndex(({ record }) => this.#entryOf(record) !== NONE) + 1
    while (this.#waiting[end]?.record.hook?.agent !== undefined) end++
    return this.#waiting.splice(0, end).map((each) => this.#placed(each))
  }

  /** Records that a snapshot without its own entry was placed at this one, so that the rest of the same call goes there too. */
  settle({ record }: Hooked, entry: Row): void {
    const { call } = record.hook ?? {}
    if (call !== undefined) this.#calls.set(call, entry)
  }

  #placed(hooked: Hooked): PlacedHook {
    return { ...hooked, entry: this.#entryOf(hooked.record) }
  }

  #entryOf({ hook }: SnapshotRecord): Row {
    const { prompt, call, agent } = hook ?? {}
    if (call !== undefined && this.#calls.has(call)) return this.#calls.get(call) ?? NONE
    const started = agent === undefined ? undefined : this.#started.get(agent)
    if (started !== undefined) return started
    return prompt === undefined ? NONE : (this.#prompts.get(prompt) ?? NONE)
  }
}

function beginsRound({ when, hook }: SnapshotRecord, prompt: string): boolean {
  return when === "before" && hook?.prompt === prompt && hook.call === undefined
}
