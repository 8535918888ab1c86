// Plays commands on a real session and on the naive model, and compares the two after each.
import { readFileSync, statSync, truncateSync } from "node:fs"
import { expect } from "vitest"
import { COMPACTION_LIMITS } from "../../src/history/plan/plan-compact.ts"
import { askedPrompts } from "../../src/history/tree/asked.ts"
import { entries, NONE, path, prompts } from "../../src/history/tree/tree.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import { LEFT_OUT_KEY } from "../../src/model/record/state-key.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import type { EntryDraft } from "../../src/session/state/draft.ts"
import type { SessionOptions } from "../../src/session/state/open-session.ts"
import type { Turn } from "../../src/session/state/turn.ts"
import type { SessionStore } from "../../src/store/port.ts"
import { type Body, type Entry, isSaid, Naive, prompts as naivePrompts } from "./naive.ts"
import { type Command, fixedParts, lines, MADE, outcome } from "./new-session.ts"

export class Play {
  session: Session
  naive = new Naive()
  readonly store: SessionStore
  readonly parts: SessionOptions
  #turn: Turn | undefined
  #over: Turn[] = []
  #ids = new Map<Entry, EntryId>()
  #count = 0

  private constructor(store: SessionStore, parts: SessionOptions, session: Session) {
    this.store = store
    this.parts = parts
    this.session = session
  }

  static async begin(store: SessionStore, head: "shared" | "own" = "shared"): Promise<Play> {
    const parts = { ...fixedParts(), head }
    return new Play(store, parts, await createSession(store, { cwd: "/project", made: MADE }, parts))
  }

  /** A second writer of the same session, who stands where the first one does. */
  static async beside(first: Play): Promise<Play> {
    const second = new Play(first.store, first.parts, await openSession(first.store, first.session.id, first.parts))
    const { everywhere, places, labels, config } = first.naive
    second.naive = Object.assign(first.naive.copy(), { everywhere, places, labels, config })
    second.#ids = first.#ids
    second.#count = 1_000_000
    return second
  }

  async run(commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      await this.step(command)
      await this.check()
    }
    await this.step({ do: "reopen" })
    await this.check()
  }

  step(command: Command): Promise<void> {
    switch (command.do) {
      case "prompt":
      case "steer":
      case "injection":
        return this.#append(this.#user(command.do))
      case "command":
        return this.#append({ ...this.#user("command"), turn: true })
      case "answer":
        return this.#append(this.#message("assistant", "agent", [this.#text("answer")]))
      case "checkpoint":
        return this.#append({ type: "checkpoint", n: this.naive.nextCheckpoint() })
      case "state":
        return this.#append({ type: "state", key: command.key, value: this.#word(command.key) })
      case "calls":
        return this.#append(this.#calls(command.count))
      case "results":
        return this.#append(this.#results(command.pick, command.orphan))
      case "back":
        return this.#move(
          (session) => session.back({ rounds: command.rounds }),
          (naive) => naive.back(command.rounds),
        )
      case "goto":
        return this.#goto(this.#pick(command.pick), command.summary ? this.#word("summary") : undefined)
      case "start":
        return this.#goto(null)
      case "undo":
      case "redo":
      case "retract": {
        const kind = command.do
        return this.#move(
          (session) => session[kind](),
          (naive) => naive[kind](),
        )
      }
      case "backtrack":
        return this.#backtrack(command.pick, command.facts ? ["a.ts is changed"] : [])
      case "compact":
        return this.#compact(command)
      case "label":
        return this.#label(this.#pick(command.pick), command.name)
      case "config":
        return this.#configure(command.key, this.#word("value"))
      case "split":
        return this.#split(command.pick === null ? null : this.#pick(command.pick), command.stay)
      case "omit":
        return this.#omit(command.pick)
      case "begin":
        return this.#begin()
      case "stop":
        return this.#stop()
      case "end":
        return this.#end()
      case "late":
        return this.#late()
      case "reopen":
        return this.#reopen()
    }
  }

  /**
   * A crash while a command is written: only a `part` of its bytes reach the disk, and the session is opened again. What
   * is whole of it counts, but a move counts only as a whole.
   */
  async cut(command: Command, part: number): Promise<void> {
    const file = this.session.log.file ?? ""
    const start = statSync(file).size
    const before = this.naive.copy()
    await this.step(command)
    this.learnIds()
    await this.session.close()
    const wrote = readFileSync(file).subarray(start)
    const kept = Math.floor(part * (wrote.length + 1))
    truncateSync(file, start + kept)
    const all = linesIn(wrote)
    const written = linesIn(wrote.subarray(0, kept + 1))
    if (written.length < all.length) this.naive = this.#half(before, written)
    this.session = await openSession(this.store, this.session.id, this.parts)
    await this.check()
  }

  /** What is left of a command of which only these lines were written. */
  #half(before: Naive, written: readonly string[]): Naive {
    const left = this.naive.path.at(-1)
    for (const line of written) {
      const { type, entry } = JSON.parse(line) as { type: string; entry?: string }
      if (type === "message") before.settle()
      else if (type === "label") before.labels = new Map([...before.labels].filter(([at]) => this.#idOf(at) !== entry))
      else if (left !== undefined) before.everywhere.set(left, this.naive.path)
    }
    return before
  }

  /** Everything a front end or a model sees is what the naive model says. */
  async check(): Promise<void> {
    const { session } = this
    await this.checkApart()
    expect(session.history.head).toBe(session.headRow)
  }

  /** The same when another writer may have moved the log's own head. */
  async checkApart(): Promise<void> {
    const { session, naive } = this
    session.log.refresh()
    naive.look()
    this.learnIds()
    const records = path(session.history, session.headRow).map((row) => session.history.record(row))
    expect(records.map(bodyOf)).toEqual(naive.path.map((entry) => this.#expected(entry)))
    expect(session.head).toBe(this.#idOf(naive.path.at(-1)))
    expect(prompts(session.history, session.headRow).map((row) => session.history.id(row))).toEqual(
      naivePrompts(naive.path).map((entry) => this.#idOf(entry)),
    )
    const rowOf = (id: EntryId | null) => (id === null ? NONE : session.history.rowOf(id))
    expect(askedPrompts(session.history, session.headRow).map(({ prompt }) => session.history.parent(prompt))).toEqual(
      naive.asked().map((before) => rowOf(this.#idOf(before.at(-1)))),
    )
    for (const checkpoints of ["shown", "hidden"] as const) {
      expect(JSON.stringify(session.context({ checkpoints }))).toBe(JSON.stringify(naive.context(checkpoints)))
    }
    for (const key of ["todos", "system", "model"]) expect(session.state(key)).toBe(naive.state(key))
    expect(session.nextCheckpoint()).toBe(naive.nextCheckpoint())
    expect(session.history.tips().length).toBe(naive.tips())
    expect(sorted(session.labels())).toEqual(
      sorted(new Map([...naive.labels].map(([entry, name]) => [this.#idOf(entry) ?? "", name]))),
    )
    expect(sorted(session.config())).toEqual(sorted(naive.config))
    this.#compareDryRun(await session.undo({ dryRun: true }), naive.undos.at(-1), "nothing-to-undo")
    this.#compareDryRun(await session.redo({ dryRun: true }), naive.redos.at(-1), "nothing-to-redo")
  }

  /** Entries of the log, in its order, are those that were ever made, in theirs: nothing is lost, nothing comes twice. */
  learnIds(): void {
    const { history } = this.session
    const made = [...this.naive.everywhere.keys()]
    const rows = [...entries(history)]
    expect(rows.length).toBe(made.length)
    for (const [at, entry] of made.entries()) this.#ids.set(entry, history.id(rows[at] ?? 0) as EntryId)
  }

  #compareDryRun(result: MoveResult, to: readonly Entry[] | undefined, refusal: string): void {
    if (result.outcome === "refused") expect([result.failure.code, to]).toEqual([refusal, undefined])
    else expect([result.outcome, result.head]).toEqual(["planned", to && this.#idOf(to.at(-1))])
  }

  #idOf(entry: Entry | undefined): EntryId | null {
    return entry === undefined ? null : (this.#ids.get(entry) ?? ("unknown" as EntryId))
  }

  #expected({ body }: Entry): object {
    if (body.type === "omit") {
      return { type: "state", key: LEFT_OUT_KEY, value: { entry: this.#idOf(body.entry), parts: "all" } }
    }
    if (body.type !== "compaction") return body
    const { keep, ...rest } = body
    return { ...rest, keepFrom: keep === null ? null : this.#idOf(keep) }
  }

  #word(kind: string): string {
    return `${kind} ${this.#count++}`
  }

  #text(kind: string): object {
    return { type: "text", text: this.#word(kind) }
  }

  #message(role: "user" | "assistant" | "tool", origin: string, content: object[]): Body & { type: "message" } {
    return { type: "message", role, origin, content }
  }

  #user(origin: string): Body & { type: "message" } {
    return this.#message("user", origin, [this.#text(origin)])
  }

  #calls(count: number): Body {
    const call = () => ({ type: "tool-call", call: this.#word("call"), name: "read", input: {} })
    return this.#message("assistant", "agent", [this.#text("reading"), ...Array.from({ length: count }, call)])
  }

  /** A result of some call of the path, open or not, or of none. */
  #results(pick: number, orphan: boolean): Body {
    const calls = this.naive.path.flatMap(({ body }) =>
      body.type === "message"
        ? body.content.flatMap((part) => ("input" in part && "call" in part ? [part.call] : []))
        : [],
    )
    const call = orphan ? this.#word("orphan") : (calls.at(-1 - (pick % 3)) ?? "none")
    return this.#message("tool", "tool", [{ type: "tool-result", call, output: this.#word("output") }])
  }

  /** Any entry that ever was, on any branch. */
  #pick(number: number): Entry | null {
    const entries = [...this.naive.everywhere.keys()]
    return entries[number % Math.max(1, entries.length)] ?? null
  }

  async #append(body: Body): Promise<void> {
    const draft = body as unknown as EntryDraft
    const ids = await (this.#turn === undefined ? this.session.append(draft) : this.#turn.append(draft))
    this.naive.append(body)
    expect(ids).toEqual([this.session.head])
  }

  async #move(
    real: (session: Session) => Promise<MoveResult>,
    plain: (naive: Naive) => string | undefined,
  ): Promise<void> {
    this.session.log.refresh()
    const before = lines(this.session).length
    const result = await real(this.session)
    const refusal = plain(this.naive.copy())
    if (refusal !== undefined && refusal !== "unchanged") {
      expect([outcome(result), lines(this.session).length]).toEqual([refusal, before])
      return
    }
    if (this.#turn !== undefined) this.naive.settle()
    this.#turnIsOver()
    expect(outcome(result)).toBe(plain(this.naive) ?? "moved")
  }

  #goto(entry: Entry | null, summary?: string): Promise<void> {
    const options = summary === undefined ? {} : { summary }
    const id = entry === null ? null : this.#idOf(entry)
    return this.#move(
      (session) => session.goto(id, options),
      (naive) => naive.goto(entry, summary),
    )
  }

  async #backtrack(pick: number, facts: string[]): Promise<void> {
    const checkpoint = pick % 6
    const note = this.#word("note")
    const result = await this.session.backtrack({ checkpoint, note, facts })
    expect(outcome(result)).toBe(this.naive.backtrack(checkpoint, note, facts) ?? "moved")
  }

  async #compact({ keepRounds, keepTokens }: { keepRounds: number; keepTokens: number }): Promise<void> {
    const summary = this.#word("compaction")
    const { history } = this.session
    let kept: { prompts: string[]; keep: Entry | null } | undefined
    const result = await this.session.compact({
      limits: { ...COMPACTION_LIMITS, keepRounds, keepTokens },
      summarise: ({ prompts: words, keepFrom }) => {
        const at = history.depth(keepFrom) - 1
        kept = { prompts: words, keep: this.naive.path[at] ?? null }
        return summary
      },
    })
    if (result.outcome === "refused") expect(result.failure.code).toBe("nothing-to-compact")
    else this.naive.compact(summary, kept?.prompts ?? [], kept?.keep ?? null)
  }

  async #label(entry: Entry | null, name: string): Promise<void> {
    if (entry === null) return
    await this.session.label(this.#idOf(entry) ?? "", name)
    if (name === "") this.naive.labels.delete(entry)
    else {
      for (const [other, label] of this.naive.labels) if (label === name) this.naive.labels.delete(other)
      this.naive.labels.set(entry, name)
    }
  }

  async #configure(key: string, value: string): Promise<void> {
    await this.session.configure(key, value)
    this.naive.config.set(key, value)
  }

  /** Of the messages of the path, any. */
  async #omit(pick: number): Promise<void> {
    const messages = this.naive.path.filter(({ body }) => body.type === "message")
    const entry = messages[pick % Math.max(1, messages.length)]
    if (entry === undefined) return
    await this.session.omit(this.#idOf(entry) ?? "")
    this.naive.omit(entry)
  }

  async #split(entry: Entry | null, stay: boolean): Promise<void> {
    if (this.naive.everywhere.size === 0) {
      await expect(this.session.split()).rejects.toMatchObject({ code: "invalid" })
      return
    }
    const source = lines(this.session)
    const copy = this.naive.copy()
    if (entry !== null) copy.path = (copy.everywhere.get(entry) ?? []).slice(0, isSaid(entry.body) ? -1 : undefined)
    const { session } = await this.session.split(entry === null ? undefined : (this.#idOf(entry) ?? undefined))
    expect(lines(this.session)).toEqual(source)
    const other = new Play(this.store, this.parts, session)
    other.naive = copy.split()
    other.#ids = this.#ids
    await other.check()
    if (stay) {
      await session.close()
      return
    }
    await this.session.close()
    this.session = session
    this.naive = other.naive
    this.#turn = undefined
    this.#over = []
  }

  async #begin(): Promise<void> {
    const turn = await this.session.beginTurn()
    if (this.#turn !== undefined) this.naive.settle()
    this.#turnIsOver()
    this.#turn = turn
  }

  /** Whether the last `stop` found a turn to stop. */
  stopped = false

  async #stop(): Promise<void> {
    this.stopped = this.#turn !== undefined
    expect(await this.session.stopTurn()).toBe(this.#turn !== undefined)
    if (this.#turn !== undefined) this.naive.settle()
    this.#turnIsOver()
  }

  async #end(): Promise<void> {
    await this.#turn?.end()
    this.#turnIsOver()
  }

  #turnIsOver(): void {
    if (this.#turn !== undefined) this.#over.push(this.#turn)
    this.#turn = undefined
  }

  async #late(): Promise<void> {
    const before = lines(this.session).length
    for (const turn of this.#over) {
      const late = this.#message("tool", "tool", [{ type: "tool-result", call: "late", output: "late" }])
      await expect(turn.append(late as unknown as EntryDraft)).rejects.toMatchObject({ code: "turn-ended" })
      expect(turn.isOver()).toBe(true)
    }
    expect(lines(this.session).length).toBe(before)
  }

  async #reopen(): Promise<void> {
    const before = lines(this.session)
    await this.session.close()
    this.#turn = undefined
    this.#over = []
    this.session = await openSession(this.store, this.session.id, this.parts)
    expect(lines(this.session)).toEqual(before)
  }
}

/** Lines with their ends, but for the blank ones that seal a torn line. */
function linesIn(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .split(/(?<=\n)/)
    .filter((line) => line.endsWith("\n") && line !== "\n")
}

/** A record without what the session adds, and without what only the log knows. */
function bodyOf(record: object | undefined): object {
  const { id: _, parent: __, at: ___, left: ____, ...body } = (record ?? {}) as { [field: string]: unknown }
  return body
}

function sorted(map: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
