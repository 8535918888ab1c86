// Writes the records of a session directly into its file: rounds with steps, compactions, moves. Without the engine.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { type EntryId, makeIds, type SessionId } from "../../src/model/id.ts"
import type { Entry, UnknownEntry, WritableRecord } from "../../src/model/record/record.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { FORMAT } from "../../src/model/record/version.ts"
import { logFile } from "../../src/store/file/disk/layout.ts"
import { type Chance, chances, Texts } from "./text.ts"

/** The average record, in bytes. */
export const AVERAGE = 4096
const BATCH = 1 << 22
/** A longer part would be a blob. */
const LONGEST_OUTPUT = 30_000
const SECOND = 1000

type Known = Exclude<Entry, UnknownEntry>
type Draft = Known extends infer Kind ? (Kind extends Known ? Omit<Kind, "id" | "parent" | "at"> : never) : never

/** Where a path can be continued: an entry, and how many messages the context has there. */
export interface Spot {
  head: EntryId | null
  context: number
}

export class Scribe {
  readonly id: SessionId
  readonly file: string
  bytes = 0
  records = 0
  spot: Spot = { head: null, context: 0 }
  /** Whether each round has snapshots of files before and after it. */
  snapshots = false
  /** Set if each call has snapshots, as a tool that may write does; counts them. */
  spans: number | undefined
  readonly #average: number
  readonly #texts: Texts
  readonly #chance: Chance
  readonly #ids
  readonly #fd: number
  #time = Date.UTC(2025, 0, 6, 9)
  #batch: string[] = []
  #batchBytes = 0
  #calls = 0

  constructor(home: string, cwd: string, seed: number, average = AVERAGE) {
    this.#average = average
    this.#chance = chances(seed)
    this.#texts = new Texts(this.#chance)
    this.#ids = makeIds({
      now: () => this.#time,
      random: (bytes) => {
        for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(this.#chance() * 256)
      },
    })
    this.id = this.#ids.session()
    this.file = logFile(home, cwd, this.id)
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    this.#fd = openSync(this.file, "w", 0o600)
    const made = { name: "bench", version: "1" }
    this.#put({ id: this.id, type: "session", at: this.#now(), ...FORMAT, cwd, made })
    this.#entry({ type: "state", key: "system", value: this.#texts.some(3000) })
    this.spot.context = 1
  }

  /** A prompt, steps with a tool call each, and an answer. */
  round(): void {
    if (this.snapshots) this.#snapshot("before")
    this.prompt()
    const steps = 1 + Math.floor(this.#chance() * 6)
    for (let n = 0; n < steps; n++) this.#step()
    const todos = Array.from({ length: 5 }, (_, n) => ({ text: this.#texts.some(60), done: n < 2 }))
    this.#entry({ type: "state", key: "todos", value: todos })
    this.#answer()
    if (this.snapshots) this.#snapshot("after")
  }

  /** A prompt and an answer: two messages. */
  exchange(): void {
    this.prompt()
    this.#answer()
  }

  prompt(): void {
    this.#message({ role: "user", origin: "prompt", content: [this.#text(this.#texts.length(300, 2000))] })
  }

  #answer(): void {
    const usage = { input: 40_000, output: 600, cacheRead: 38_000 }
    const content = [this.#text(this.#texts.length(1500, 8000))]
    this.#message({ role: "assistant", origin: "agent", content, model: "some-model-1", usage, stop: "end" })
  }

  #step(): void {
    const call = `call_${++this.#calls}`
    const input = {
      path: `src/${this.#texts.pick(["model", "store", "session"])}/log.ts`,
      pattern: this.#texts.some(80),
    }
    this.#entry({ type: "checkpoint", n: this.#calls })
    this.#message({
      role: "assistant",
      origin: "agent",
      content: [this.#text(this.#texts.length(500, 4000)), { type: "tool-call", call, name: "Grep", input }],
      model: "some-model-1",
      usage: { input: 40_000, output: 300 },
      stop: "tool-calls",
    })
    // Outputs make up for the small records, so that the average is right.
    const span = this.#openSpan(call)
    const missing = Math.max(0, (this.records + 9) * this.#average - this.bytes)
    const output = this.#texts.some(this.#texts.length(Math.min(missing, 24_000), LONGEST_OUTPUT))
    this.#message({ role: "tool", origin: "tool", content: [{ type: "tool-result", call, name: "Grep", output }] })
    span?.()
  }

  /** Writes the snapshot before a call; returns how to write the one after it. */
  #openSpan(call: string): (() => void) | undefined {
    if (this.spans === undefined) return undefined
    const n = ++this.spans
    const entry = this.spot.head
    const [before, at] = [this.#snapshotId(), this.#now()]
    this.#put({ id: this.#ids.record(), type: "snapshot", at, snapshot: before, entry, when: "before", call })
    return () => {
      const changes = [{ path: `src/part-${n % 200}.ts`, change: "modified", during: "command" as const }]
      const after = { snapshot: this.#snapshotId(), entry, when: "after" as const, call }
      const since = { snapshot: before, at }
      this.#put({ id: this.#ids.record(), type: "snapshot", at: this.#now(), ...after, since, changes })
    }
  }

  #snapshotId(): string {
    return this.#ids.record().replaceAll("-", "").padEnd(40, "0")
  }

  /** Replaces the context by a summary, and keeps what followed `keep`. */
  compact(keep: Spot): void {
    const prompts = Array.from({ length: 3 }, () => this.#texts.some(200))
    const kept = this.spot.context - keep.context
    const keepFrom = keep.head
    const from = this.spot.head
    this.#entry({ type: "compaction", summary: this.#texts.some(3000), prompts, keepFrom, cause: "threshold" })
    const head = { from, to: this.spot.head }
    this.#put({ id: this.#ids.record(), type: "operation", at: this.#now(), kind: "compact", by: "agent", head })
    // The system prompt, the summary, and what is kept: including `keepFrom`, if it is a message.
    this.spot.context = 2 + kept + (keepFrom === null ? 0 : 1)
  }

  /** Moves the head, as `goto` does, with or without the files. */
  goto(spot: Spot, files: "keep" | "restore" = "keep"): void {
    const head = { from: this.spot.head, to: spot.head }
    const id = this.#ids.record()
    const moved = { from: this.#snapshotId(), to: this.#snapshotId(), restore: id, entry: spot.head }
    const along = files === "keep" ? {} : { files: moved }
    this.#put({ id, type: "operation", at: this.#now(), kind: "goto", by: "person", head, ...along })
    this.spot = { ...spot }
  }

  close(): void {
    this.#write()
    closeSync(this.#fd)
  }

  #text(length: number): { type: "text"; text: string } {
    return { type: "text", text: this.#texts.some(length) }
  }

  #snapshot(when: "before" | "after"): void {
    const snapshot = this.#snapshotId()
    const changes = when === "before" ? [] : [{ path: "src/store/file/log/log.ts", change: "modified" }]
    const entry = this.spot.head
    this.#put({ id: this.#ids.record(), type: "snapshot", at: this.#now(), snapshot, entry, when, changes })
  }

  #message(message: Omit<Extract<Draft, { type: "message" }>, "type">): void {
    this.#entry({ type: "message", ...message })
    this.spot.context += 1
  }

  #entry(draft: Draft): void {
    const id = this.#ids.entry()
    this.#put({ ...draft, id, parent: this.spot.head, at: this.#now() })
    this.spot = { head: id, context: this.spot.context }
  }

  #now(): string {
    this.#time += Math.floor(this.#chance() * 8 * SECOND)
    return new Date(this.#time).toISOString()
  }

  #put(record: WritableRecord): void {
    const line = `${printRecord(record)}\n`
    const bytes = Buffer.byteLength(line)
    this.#batch.push(line)
    this.#batchBytes += bytes
    this.bytes += bytes
    this.records += 1
    if (this.#batchBytes >= BATCH) this.#write()
  }

  #write(): void {
    const bytes = Buffer.from(this.#batch.join(""))
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
    this.#batch = []
    this.#batchBytes = 0
  }
}
