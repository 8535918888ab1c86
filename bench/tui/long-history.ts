// A conversation of many entries, without a file: a prompt and nine other messages; every hundredth round is abandoned.
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { entryId, type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import { emptyFacts, factsOf } from "../../src/model/record/facts.ts"
import type { LogRecord, MessageRecord } from "../../src/model/record/record.ts"

const AT = "2026-01-01T00:00:00.000Z"

class LongHistory extends Rows implements History {
  readonly #facts = emptyFacts()
  readonly #parents: Row[] = []

  add(parent: Row): Row {
    const row = this.size
    this.#parents.push(parent)
    factsOf(this.#make(row), this.#facts)
    return replay(this, this.#facts, { offset: row * 100, length: 99 }, true)
  }

  record(row: Row): LogRecord {
    return this.#make(row)
  }

  /** Made on demand, as a record is read from a file. */
  #make(row: Row): MessageRecord {
    const isPrompt = row % 10 === 0
    const text = `${isPrompt ? "prompt" : "answer"} ${row}: some words about the matter at hand, as there are in most`
    return {
      id: `01890a5d-ac96-7000-8000-${row.toString(16).padStart(12, "0")}` as EntryId,
      type: "message",
      parent: entryId(this, this.#parents[row] ?? NONE),
      at: AT,
      role: isPrompt ? "user" : "assistant",
      origin: isPrompt ? "prompt" : "agent",
      content: [{ type: "text", text }],
    }
  }
}

const known = new Map<number, LongHistory>()

export function longHistory(entries: number): History {
  const made = known.get(entries)
  if (made !== undefined) return made
  const history = new LongHistory()
  let [head, fork]: [Row, Row] = [NONE, NONE]
  for (let row = 0; row < entries; row++) {
    if (row % 1000 === 0 && fork !== NONE) head = fork
    if (row % 1000 === 990) fork = head
    head = history.add(head)
  }
  known.set(entries, history)
  return history
}
