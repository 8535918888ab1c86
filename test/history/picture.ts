// Trees as pictures: "p1 > a1 > p2; a1 > p3 > a3". A name's first letter says what the entry is, its number which one.
//   p prompt · a answer · u reminder · m system message · c checkpoint · n note · s state · z compaction · x unknown
//   any other letter: an answer
import type { MovePlan, Planned } from "../../src/history/plan/plan.ts"
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { entryId, type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import type { EntryId, RecordId } from "../../src/model/id.ts"
import { emptyFacts, factsOf } from "../../src/model/record/facts.ts"
import { type Entry, isEntryKind, type LogRecord, type MessageRecord } from "../../src/model/record/record.ts"

const AT = "2026-01-01T00:00:00.000Z"
const facts = emptyFacts()

/** An entry without its place in the tree. */
export type Body = { type: Entry["type"] } & { [field: string]: unknown }

export class Picture extends Rows implements History {
  readonly records: LogRecord[] = []
  readonly #names = new Map<string, Row>()
  readonly #bodies: { [name: string]: Body }

  constructor(text: string, bodies: { [name: string]: Body } = {}) {
    super()
    this.#bodies = bodies
    this.draw(text)
  }

  record(row: Row): LogRecord | undefined {
    return this.records[row]
  }

  row(name: string): Row {
    const row = this.#names.get(name)
    if (row === undefined) throw new Error(`"${name}" is not in the picture`)
    return row
  }

  idOf(name: string): EntryId {
    return this.id(this.row(name)) as EntryId
  }

  name(row: Row): string {
    if (row === NONE) return "(nothing)"
    for (const [name, at] of this.#names) if (at === row) return name
    return `row ${row}`
  }

  names(rows: readonly Row[]): string {
    return rows.map((row) => this.name(row)).join(" > ")
  }

  add(record: LogRecord): Row {
    this.records.push(record)
    factsOf(record, facts)
    return replay(this, facts, { offset: this.size, length: 0 })
  }

  /** Adds chains. A chain that starts with a name that is there already branches off from it; else from nothing. */
  draw(text: string): void {
    for (const chain of text.split(";")) {
      let parent: Row = NONE
      for (const name of chain.split(">").map((each) => each.trim())) {
        if (name === "") continue
        const known = this.#names.get(name)
        parent = known ?? this.append(name, parent)
      }
      if (parent === this.size - 1 && parent !== this.head) this.#goTo(parent)
    }
  }

  /** As a session does after a note or a compaction. */
  #goTo(to: Row): void {
    const head = { from: entryId(this, this.head), to: entryId(this, to) }
    this.add({ id: this.nextId(), type: "operation", at: AT, kind: "goto", by: "person", head })
  }

  append(name: string, parent: Row = this.head): Row {
    const id = this.nextId() as EntryId
    const body = this.#bodies[name] ?? bodyOf(name)
    const row = this.add({ ...body, id, parent: entryId(this, parent), at: AT } as unknown as Entry)
    this.#names.set(name, row)
    return row
  }

  /** Ids count up in their last digits, so that a test can name them. */
  nextId(): RecordId {
    return `01890a5d-ac96-7000-8000-${this.size.toString(16).padStart(12, "0")}` as RecordId
  }

  /** Records the move that a plan describes, as a session does. */
  carryOut(planned: Planned): MovePlan {
    if (!planned.ok) throw new Error(planned.failure.code)
    const { kind, from, to, undoes } = planned.plan
    const head = { from: entryId(this, from), to: entryId(this, to) }
    const operation = { id: this.nextId(), type: "operation" as const, at: AT, kind, by: "person" as const, head }
    this.add(undoes === undefined ? operation : { ...operation, undoes })
    return planned.plan
  }
}

export function picture(text: string, bodies: { [name: string]: Body } = {}): Picture {
  return new Picture(text, bodies)
}

function bodyOf(name: string): Body {
  const make = BODIES[name.charAt(0)]
  return make === undefined ? message("assistant", "agent", name) : make(name, Number(name.slice(1)) || 0)
}

const BODIES: { [letter: string]: (name: string, number: number) => Body } = {
  p: (name) => message("user", "prompt", name),
  u: (name) => message("user", "injection", name),
  m: (name) => message("system", "unknown", name),
  c: (_, n) => ({ type: "checkpoint", n }),
  n: (text, checkpoint) => ({ type: "note", text, facts: [], checkpoint, left: null, discards: 0 }),
  s: (value) => ({ type: "state", key: "todos", value }),
  z: (summary) => ({ type: "compaction", summary, prompts: [], keepFrom: null, cause: "person" }),
  x: () => ({ type: "unknown-entry", was: "hologram" }),
}

export function message(role: MessageRecord["role"], origin: MessageRecord["origin"], text: string): Body {
  return { type: "message", role, origin, content: [{ type: "text", text }] }
}

/** An answer that calls tools, and a message with results. */
export function calls(...names: string[]): Body {
  const content = names.map((call) => ({ type: "tool-call", call, name: "read", input: {} }))
  return { type: "message", role: "assistant", origin: "agent", content }
}

export function results(...names: string[]): Body {
  const content = names.map((call) => ({ type: "tool-result", call, output: `output of ${call}` }))
  return { type: "message", role: "tool", origin: "tool", content }
}

/** The tree as a picture, with the head marked. Branches after the first name where they start. */
export function draw(tree: Picture): string {
  const children = new Map<Row, Row[]>()
  for (let row = 0; row < tree.size; row++) {
    if (!isEntryKind(tree.kind(row))) continue
    const parent = tree.parent(row)
    children.set(parent, [...(children.get(parent) ?? []), row])
  }
  const shown = (row: Row) => (row === tree.head ? `${tree.name(row)} (head)` : tree.name(row))
  const chains: string[] = []
  const starts: { from: Row; to: Row }[] = (children.get(NONE) ?? []).map((to) => ({ from: NONE, to }))
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const chain = start.from === NONE ? [] : [tree.name(start.from)]
    for (let row: Row | undefined = start.to; row !== undefined; ) {
      chain.push(shown(row))
      const [first, ...others]: Row[] = children.get(row) ?? []
      const from: Row = row
      starts.push(...others.map((to) => ({ from, to })))
      starts.sort((a, b) => a.to - b.to)
      row = first
    }
    chains.push(chain.join(" > "))
  }
  return tree.head === NONE ? `(head) ${chains.join("; ")}`.trim() : chains.join("; ")
}

/** How many moves were recorded. */
export function moves(tree: Picture): number {
  return tree.records.filter((record) => record.type === "operation").length
}
