// A tree from a line of text, and the graph of a tree as text.
import { type GraphOptions, graph } from "../../src/history/graph/graph.ts"
import { picture } from "../../src/history/graph/graph-picture.ts"
import { replay } from "../../src/history/rows/replay.ts"
import { Rows } from "../../src/history/rows/rows.ts"
import { NONE, type Row } from "../../src/history/tree/tree.ts"
import { type EntryId, parseEntryId } from "../../src/model/id.ts"
import { emptyFacts, factsOf } from "../../src/model/record/facts.ts"
import { KIND, type LogRecord } from "../../src/model/record/record.ts"

export interface Planted {
  tree: Rows
  row: (name: string) => Row
}

/**
 * `plant("P1 > a > P2 > b, a > P3")`: names that start with P are prompts, with N notes, with C compactions, with S
 * states, all others answers. A name that was there before is where a branch leaves. The head is the last one.
 */
export function plant(text: string): Planted {
  const tree = new Rows()
  const rows = new Map<string, Row>()
  const names: string[] = []
  for (const branch of text.split(",")) {
    let parent: string | undefined
    for (const name of branch.split(">").map((each) => each.trim())) {
      if (!rows.has(name)) {
        rows.set(
          name,
          add(tree, recordFor(name, names.length, parent === undefined ? null : idOf(names.indexOf(parent)))),
        )
        names.push(name)
      }
      parent = name
    }
  }
  return { tree, row: (name) => rows.get(name) ?? NONE }
}

const facts = emptyFacts()

export function add(tree: Rows, record: LogRecord): Row {
  factsOf(record, facts)
  return replay(tree, facts, { offset: 0, length: 0 })
}

/** A path of so many entries, a prompt at every tenth. Made without records, so that a million cost little. */
export function longPath(length: number): Rows {
  const tree = new Rows()
  const ids = new Uint32Array([0x01900000, 0x7000, 0x80000000, 0])
  for (let i = 0; i < length; i++) {
    ids[3] = i
    facts.parent.set(facts.id)
    facts.id.set(ids)
    const prompt = i % 10 === 0
    Object.assign(facts, {
      kind: KIND.message,
      hasParent: i > 0,
      prompt,
      role: prompt ? 0 : 1,
      origin: 1,
      move: undefined,
    })
    replay(tree, facts, { offset: 0, length: 0 }, true)
  }
  return tree
}

export function idOf(number: number): EntryId {
  const id = parseEntryId(`01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)
  if (id === undefined) throw new Error(`${number} makes no id`)
  return id
}

const AT = "2026-03-01T12:00:00.000Z"

export function recordFor(name: string, number: number, parent: EntryId | null): LogRecord {
  const base = { id: idOf(number), parent, at: AT }
  if (name.startsWith("N"))
    return { ...base, type: "note", text: name, facts: [], checkpoint: 0, left: null, discards: 1 }
  if (name.startsWith("C")) {
    return { ...base, type: "compaction", summary: name, prompts: [], keepFrom: null, cause: "person" }
  }
  if (name.startsWith("S")) return { ...base, type: "state", key: name, value: 1 }
  if (name.startsWith("P")) return { ...base, type: "message", role: "user", origin: "prompt", content: [] }
  return { ...base, type: "message", role: "assistant", origin: "agent", content: [] }
}

/** The graph with the names of each stretch, head given by name. */
export function drawn(text: string, options: Partial<GraphOptions> & { head?: string; stops?: never } = {}): string {
  const planted = plant(text)
  const { head, ...rest } = options
  const names = [...new Set(text.split(/[,>]/).map((name) => name.trim()))]
  const at = head === undefined ? planted.tree.head : planted.row(head)
  return drawTree(planted.tree, at, (row) => names.find((name) => planted.row(name) === row) ?? "?", rest)
}

export function drawTree(
  tree: Rows,
  head: Row,
  nameOf: (row: Row) => string,
  options: Partial<GraphOptions> = {},
): string {
  const lines: string[] = []
  for (const line of graph(tree, head, { show: "all", ...options })) {
    const words: string[] = []
    if (line.type === "stretch") {
      for (let row = line.stretch.last; ; row = tree.parent(row)) {
        words.unshift(nameOf(row))
        if (row === line.stretch.first) break
      }
    } else if (line.type === "folded") {
      words.push(`${nameOf(line.branch.first)}…${nameOf(line.branch.newest)}: ${line.branch.messages}`)
    } else if (line.type === "others") words.push(`${line.branches} branches, ${line.messages} messages`)
    else if (line.type === "start") words.push("start")
    else if (line.type === "rest") words.push(`${line.entries} more`)
    lines.push(`${picture(line)} ${words.join(" ")}`.trimEnd())
  }
  return `\n${lines.join("\n")}\n`
}
