// A session's log, replayed as docs/format.md says, in the most obvious way and without retcon's own code: the head, and what the
// files of the folder must be, after each of its lines. Other agents' sessions are replayed as their own program reads them.
import { readFileSync } from "node:fs"

export type Files = Readonly<Record<string, string>>

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
  files?: { entry?: string | null; before?: string; paths?: string[] }
  after?: string | null
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
  const replay = new Replay()
  for (const line of linesIn(path)) {
    if (line.parent !== undefined) {
      if (!waitsForMove(line)) replay.mustContinue(line)
      replay.entry(line)
    } else if (line.type === "operation") replay.operation(line)
    else replay.lines.push(line)
  }
  return replay.result()
}

function isOfRounds(kind: string | undefined): boolean {
  return kind === "revert" || kind === "bring"
}

/** The operation after it moves the head there. */
function waitsForMove({ type, origin }: Line): boolean {
  return type === "note" || type === "compaction" || origin === "move"
}

/** Whole lines: the last one may be in the making. */
export function linesIn(path: string): Line[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  return lines.flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]))
}

export class Replay {
  readonly lines: Line[] = []
  readonly #entries = new Map<string, Line>()
  readonly #calls = new Map<string, { path: string; content: string }>()
  readonly #unsure = new Set<string>()
  readonly #wrong: string[] = []
  /** Before and after each operation and each entry. */
  readonly #before = new Map<string, State>()
  readonly #after = new Map<string, State>()
  #now: State = { head: null, files: {} }
  readonly #states = [this.#now]

  /** An entry that its writer puts where the head is. */
  mustContinue({ type, id, parent }: Line): void {
    if (parent !== this.#now.head) this.#wrong.push(`${type} ${id} continues ${parent}, not the head ${this.#now.head}`)
  }

  entry(line: Line): void {
    this.lines.push(line)
    this.#entries.set(line.id, line)
    this.#before.set(line.id, { ...this.#now, head: line.parent ?? null })
    for (const part of line.content ?? []) {
      const input = part.input as { path?: string; content?: string } | undefined
      if (part.type === "tool-call" && part.name === "Write" && part.call !== undefined)
        this.#calls.set(part.call, { path: input?.path ?? "", content: input?.content ?? "" })
      const stopped = part.type === "tool-result" && part.error === true ? this.#calls.get(part.call ?? "") : undefined
      if (stopped !== undefined) this.#unsure.add(stopped.path)
    }
    this.#after.set(line.id, { head: line.id, files: this.#now.files })
    if (waitsForMove(line)) return
    this.#is({ head: line.id, files: { ...this.#now.files, ...Object.fromEntries(this.#written(line)) } })
    this.#after.set(line.id, this.#now)
    // What a call did was there while the entry that made it was the last one.
    if (line.role === "tool" && typeof line.parent === "string")
      this.#after.set(line.parent, { ...this.#now, head: line.parent })
  }

  operation(line: Line): void {
    this.lines.push(line)
    const { id, kind, head, undoes } = line
    // How later changes to the same file go together with that is for others to test.
    if (isOfRounds(kind)) for (const path of line.files?.paths ?? []) this.#unsure.add(path)
    if (head?.from !== this.#now.head)
      this.#wrong.push(`${kind} ${id} begins at ${head?.from}, not at the head ${this.#now.head}`)
    this.#before.set(id, this.#now)
    const to = head?.to ?? null
    const undone = undoes === undefined ? undefined : this.#before.get(undoes)
    if (undoes !== undefined && undone === undefined) this.#wrong.push(`${kind} ${id} undoes nothing`)
    if (undone !== undefined && undone.head !== to)
      this.#wrong.push(`${kind} ${id} leads to ${to}; before what it undoes, the head was ${undone.head}`)
    this.#is({ head: to, files: this.#filesAfter(line) })
    this.#after.set(id, this.#now)
  }

  /** The head went there, and nothing says why. */
  stand(head: string | null): void {
    if (head !== this.#now.head) this.#is({ ...this.#now, head })
  }

  get head(): string | null {
    return this.#now.head
  }

  #is(state: State): void {
    this.#now = state
    this.#states.push(state)
  }

  #written(entry: Line): [string, string][] {
    return (entry.content ?? []).flatMap(({ type, call = "", error }) => {
      const write = type === "tool-result" && error !== true ? this.#calls.get(call) : undefined
      return write === undefined ? [] : [[write.path, write.content] as [string, string]]
    })
  }

  #filesAfter({ kind, files, undoes = "" }: Line): Files {
    if (files === undefined || isOfRounds(kind)) return this.#now.files
    if (files.entry !== undefined) {
      if (files.entry === null) return {}
      return this.#after.get(files.entry)?.files ?? this.#now.files
    }
    if (files.before !== undefined) return this.#before.get(files.before)?.files ?? this.#now.files
    return this.#reversed(undoes)
  }

  /** What an operation or a round did to the files is taken back; what happened since stays. */
  #reversed(asked: string): Files {
    // A round that was redone with files is there because of that redo: its record is what is reversed.
    const undone = this.lines.findLast((line) => this.#redoes(line) === asked)?.id ?? asked
    const [before, after] = [this.#before.get(undone)?.files ?? {}, this.#after.get(undone)?.files ?? {}]
    const changed = this.#entries.has(undone)
      ? this.#pathTo(this.#now.head, undone).flatMap((entry) => this.#written(entry))
      : Object.entries({ ...before, ...after }).filter(([name]) => before[name] !== after[name])
    const files: Record<string, string> = { ...this.#now.files }
    for (const [name] of changed) {
      delete files[name]
      if (before[name] !== undefined) files[name] = before[name]
    }
    return files
  }

  /** What a redo with files made again. */
  #redoes({ type, kind, files, undoes }: Line): string | undefined {
    if (type !== "operation" || kind !== "redo" || files === undefined) return undefined
    return this.lines.find(({ id }) => id === undoes)?.undoes
  }

  /** From `first`, or from the beginning. */
  #pathTo(head: string | null, first?: string): Line[] {
    const found: Line[] = []
    for (let at = this.#entries.get(head ?? ""); at !== undefined; at = this.#entries.get(at.parent ?? "")) {
      found.unshift(at)
      if (at.id === first) break
    }
    return found
  }

  result(): NaiveLog {
    const { lines } = this
    const asked = (line: Line) =>
      line.type === "message" && line.role === "user" && (line.origin === "prompt" || line.origin === "steer")
    const text = (line: Line) => (line.content ?? []).map((part) => part.text ?? "").join("")
    return {
      ...this.#now,
      lines,
      operations: lines.filter(({ type }) => type === "operation"),
      states: this.#states,
      wrong: this.#wrong,
      prompts: this.#pathTo(this.#now.head)
        .filter((line) => asked(line) && line.origin === "prompt")
        .map(text),
      texts: lines.filter(asked).map(text),
      unsure: this.#unsure,
    }
  }
}

/** Without the files of which the log cannot tell what they hold. */
export function sureFiles(files: Files, { unsure }: NaiveLog, doubtful: ReadonlySet<string>): Files {
  const known = Object.entries(files).filter(([name]) => !unsure.has(name) && !doubtful.has(name))
  return Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1)))
}
