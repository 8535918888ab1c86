// Values that follow the path: todos, model, system prompt.
import type { Json } from "../../model/json.ts"
import { SYSTEM_KEY } from "../../model/record/state-key.ts"
import { type History, NONE, type Row } from "./tree.ts"

/** The value of `key` as it was at `head`; undefined if the path never set it. */
export function stateAt(history: History, head: Row, key: string): Json | undefined {
  // Every context needs the system prompt, which may have been set long ago, so rows point to it directly.
  const last = key === SYSTEM_KEY ? history.system(head) : history.state(head)
  for (let row = last; row !== NONE; row = above(history, row)) {
    if (keyAt(history, row) !== key) continue
    const record = history.record(row)
    if (record?.type === "state") return record.value
  }
  return undefined
}

/**
 * The same, for repeated calls on one session. A front end asks at every frame, most keys were never set, and a path
 * may have 20,000 state entries: each is read once, and only as far back as a call needs.
 */
export class PathStates {
  /** The nearest state entry at the last call, and the next one to read. */
  #last: Row = NONE
  #next: Row = NONE
  #generation = -1
  /** The nearest entry of each key, among those read. */
  #rows = new Map<string, Row>()

  at(history: History, head: Row, key: string): Json | undefined {
    if (key === SYSTEM_KEY) return stateAt(history, head, key)
    this.#follow(history, history.state(head))
    while (!this.#rows.has(key) && this.#next !== NONE) this.#look(history, this.#rows)
    const row = this.#rows.get(key)
    if (row === undefined) return undefined
    const record = history.record(row)
    // If its line cannot be read, the entry before it counts.
    return record?.type === "state" ? record.value : stateAt(history, history.parent(row), key)
  }

  /** Keeps what is known if the path still contains the last entry. */
  #follow(history: History, last: Row): void {
    const [before, next, known] = [this.#last, this.#next, this.#rows]
    const isKnown = this.#generation === history.generation
    if (isKnown && last === before) return
    const newer = new Map<string, Row>()
    this.#next = last
    const continues = isKnown && before !== NONE && this.#reaches(before, history, newer)
    if (continues) this.#next = next
    this.#rows = continues ? new Map([...known, ...newer]) : newer
    this.#last = last
    this.#generation = history.generation
  }

  /** Reads what was added after that entry. Parents have smaller rows, so it soon shows if the path lacks it. */
  #reaches(row: Row, history: History, found: Map<string, Row>): boolean {
    for (;;) {
      if (this.#next === NONE || this.#next <= row) return this.#next === row
      this.#look(history, found)
    }
  }

  #look(history: History, found: Map<string, Row>): void {
    const row = this.#next
    this.#next = above(history, row)
    const key = keyAt(history, row)
    if (key !== undefined && !found.has(key)) found.set(key, row)
  }
}

function above(history: History, row: Row): Row {
  return history.state(history.parent(row))
}

/** The key of a state entry; undefined if only its line says that, and it cannot be read. */
export function keyAt(history: History, row: Row): string | undefined {
  const key = history.stateKey(row)
  if (key !== undefined) return key
  const record = history.record(row)
  return record?.type === "state" ? record.key : undefined
}

/** The number of the next checkpoint on this path. */
export function nextCheckpoint(history: History, head: Row): number {
  for (let row = history.checkpoint(head); row !== NONE; row = history.checkpoint(history.parent(row))) {
    const record = history.record(row)
    if (record?.type === "checkpoint") return record.n + 1
  }
  return 0
}

/** The checkpoints an agent may go back to: those after the last compaction, oldest first. */
export function checkpoints(history: History, head: Row): { n: number; row: Row }[] {
  const found: { n: number; row: Row }[] = []
  const floor = history.depth(history.compaction(head))
  for (let row = history.checkpoint(head); row !== NONE; row = history.checkpoint(history.parent(row))) {
    if (history.depth(row) <= floor) break
    const record = history.record(row)
    if (record?.type === "checkpoint") found.push({ n: record.n, row })
  }
  return found.reverse()
}
