// A session's log, replayed as docs/format.md says, in the most obvious way and without retcon's own code: the head, and what the
// files of the folder must be, after each of its lines.
import { readFileSync } from "node:fs"

type Files = Readonly<Record<string, string>>

export interface State {
  head: string | null
  files: Files
}

export interface Line {
  id: string
  type: string
  parent?: string | null
  role?: string
  origin?: string
  content?: { type: string; text?: string; call?: string; name?: string; input?: unknown; error?: boolean }[]
  kind?: string
  via?: string
  head?: { from: string | null; to: string | null }
  undoes?: string
  files?: { entry?: string | null; before?: string }
  entry?: string
  name?: string
}

export interface NaiveLog extends State {
  lines: Line[]
  operations: Line[]
  /** Every state there ever was: after each line that moved the head or changed files. */
  states: State[]
  /** What the operations of this log say, but cannot be. */
  wrong: string[]
  /** What the person asked on the way to the head. */
  prompts: string[]
  texts: string[]
  /** Files whose write was stopped: nobody can say whether they are there. */
  unsure: Set<string>
}

export function naiveLog(path: string): NaiveLog {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
  const entries = new Map<string, Line>()
  const calls = new Map<string, { path: string; content: string }>()
  const unsure = new Set<string>()
  const wrong: string[] = []
  /** Before each operation, and before each entry. */
  const before = new Map<string, State>()
  const after = new Map<string, State>()
  let now: State = { head: null, files: {} }
  const states = [now]

  const pathTo = (head: string | null) => {
    const found: Line[] = []
    for (let at = head === null ? undefined : entries.get(head); at !== undefined; at = entries.get(at.parent ?? ""))
      found.unshift(at)
    return found
  }
  const written = (entry: Line): [string, string][] =>
    (entry.content ?? []).flatMap(({ type, call = "", error }) => {
      const write = type === "tool-result" && error !== true ? calls.get(call) : undefined
      return write === undefined ? [] : [[write.path, write.content] as [string, string]]
    })

  function filesAfter({ files, undoes = "" }: Line): Files {
    if (files === undefined) return now.files
    if (files.entry !== undefined) return files.entry === null ? {} : (after.get(files.entry)?.files ?? now.files)
    return before.get(files.before ?? undoes)?.files ?? now.files
  }

  for (const line of lines) {
    if (line.parent !== undefined) {
      entries.set(line.id, line)
      before.set(line.id, now)
      for (const part of line.content ?? []) {
        const input = part.input as { path?: string; content?: string } | undefined
        if (part.type === "tool-call" && part.name === "Write" && part.call !== undefined)
          calls.set(part.call, { path: input?.path ?? "", content: input?.content ?? "" })
        const stopped = part.type === "tool-result" && part.error === true ? calls.get(part.call ?? "") : undefined
        if (stopped !== undefined) unsure.add(stopped.path)
      }
      after.set(line.id, { head: line.id, files: now.files })
      if (line.type === "note" || line.type === "compaction") continue
      if (line.parent !== now.head)
        wrong.push(`${line.type} ${line.id} continues ${line.parent}, not the head ${now.head}`)
      now = { head: line.id, files: { ...now.files, ...Object.fromEntries(written(line)) } }
      after.set(line.id, now)
      // What a call did was there while the entry that made it was the last one.
      if (line.role === "tool" && line.parent !== null) after.set(line.parent, { ...now, head: line.parent })
    } else if (line.type === "operation") {
      if (line.head?.from !== now.head)
        wrong.push(`${line.kind} ${line.id} begins at ${line.head?.from}, not at the head ${now.head}`)
      before.set(line.id, now)
      const to = line.head?.to ?? null
      const undone = line.undoes === undefined ? undefined : before.get(line.undoes)
      if (line.undoes !== undefined && undone === undefined) wrong.push(`${line.kind} ${line.id} undoes nothing`)
      if (undone !== undefined && undone.head !== to)
        wrong.push(`${line.kind} ${line.id} leads to ${to}; before what it undoes, the head was ${undone.head}`)
      now = { head: to, files: filesAfter(line) }
    } else continue
    states.push(now)
  }
  const asked = (line: Line) =>
    line.type === "message" && line.role === "user" && (line.origin === "prompt" || line.origin === "steer")
  const text = (line: Line) => (line.content ?? []).map((part) => part.text ?? "").join("")
  return {
    ...now,
    lines,
    operations: lines.filter(({ type }) => type === "operation"),
    states,
    wrong,
    prompts: pathTo(now.head)
      .filter((line) => asked(line) && line.origin === "prompt")
      .map(text),
    texts: lines.filter(asked).map(text),
    unsure,
  }
}
