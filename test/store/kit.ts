// What the tests of the store share: homes that go away, records, and logs compared row by row.
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { build } from "tsdown"
import { afterAll, expect, onTestFinished } from "vitest"
import { WORDS } from "../../src/history/rows/columns.ts"
import type { Rows } from "../../src/history/rows/rows.ts"
import type { RetconError } from "../../src/model/failure/retcon-error.ts"
import type { EntryId } from "../../src/model/id.ts"
import { KIND, type MessageRecord, type SessionRecord, type WritableRecord } from "../../src/model/record/record.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { FileLog } from "../../src/store/file/log/log.ts"
import type { SessionLog } from "../../src/store/port.ts"

export const parts = systemOptions()
export const FAST = { durability: "fast" } as const
export const AT = "2026-01-01T00:00:00.000Z"

/** Done when the test is over, last first. By the test, not by this file: of many files in one process, only one loads it. */
export function afterwards(tidy: () => unknown): void {
  onTestFinished(async () => void (await tidy()))
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "retcon-store-"))
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function header(more: Partial<SessionRecord> = {}): SessionRecord {
  const made = { name: "test", version: "1" }
  return { id: parts.ids.session(), type: "session", at: AT, reads: 1, writes: 1, cwd: "/project", made, ...more }
}

export function message(parent: string | null, text: string, more: Partial<MessageRecord> = {}): MessageRecord {
  return {
    id: parts.ids.entry(),
    type: "message",
    parent: parent as EntryId | null,
    role: "user",
    origin: "prompt",
    at: AT,
    content: [{ type: "text", text }],
    ...more,
  }
}

export function goTo(from: string | null, to: string | null): WritableRecord {
  const head = { from: from as EntryId | null, to: to as EntryId | null }
  return { id: parts.ids.record(), type: "operation", at: AT, kind: "goto", by: "person", head }
}

export function setting(key: string, value: string): WritableRecord {
  return { id: parts.ids.record(), type: "config", at: AT, key, value }
}

export function label(entry: string, name: string): WritableRecord {
  return { id: parts.ids.record(), type: "label", at: AT, entry: entry as EntryId, name }
}

/** A new session in a home of its own, open. */
export async function newLog(more: Partial<SessionRecord> = {}) {
  const home = temporaryFolder()
  const store = fileStore({ home })
  const log = await store.create(header(more))
  afterwards(() => log.close())
  return { home, store, log, file: log.file as string, id: log.id }
}

export function openLog(file: string): FileLog {
  const log = new FileLog(file, () => Date.now())
  afterwards(() => log.close())
  return log
}

/** Opens the log from nothing: its index is deleted first. */
export function openCold(file: string): FileLog {
  rmSync(indexFile(file), { recursive: true, force: true })
  return openLog(file)
}

/** Messages that continue the head, one after the other; their ids. */
export async function say(log: SessionLog, ...texts: string[]): Promise<EntryId[]> {
  log.refresh()
  const head = log.history.head
  let parent = head < log.history.size ? (log.history.id(head) as EntryId) : null
  const records = texts.map((text) => {
    const record = message(parent, text)
    parent = record.id
    return record
  })
  await log.append(records, FAST)
  return records.map((record) => record.id)
}

/** Every word of every row. */
function rowsOf(log: SessionLog): Uint32Array {
  const rows = log.history as unknown as Rows
  const words = new Uint32Array(rows.size * WORDS)
  for (let row = 0; row < rows.size; row++) {
    for (let column = 0; column < WORDS; column++) words[row * WORDS + column] = rows.word(row, column)
  }
  return words
}

/** What is known besides the rows. */
function restOf(log: SessionLog): unknown {
  const rows = log.history as unknown as Rows
  const lasts = Object.values(KIND).map((kind) => rows.last(kind))
  return { size: rows.size, tips: rows.tips(), lasts, firstPrompt: rows.firstPrompt, head: rows.head }
}

/** Two views of one log agree row by row: what they know and what they answer cannot differ. */
export function sameRows(a: SessionLog, b: SessionLog): void {
  expect(restOf(a)).toEqual(restOf(b))
  const [left, right] = [rowsOf(a), rowsOf(b)]
  const at = left.findIndex((word, i) => word !== right[i])
  expect({ row: Math.floor(at / WORDS), column: at % WORDS }).toEqual({ row: -1, column: -1 })
}

/** The view at hand, one opened from the index and one opened from nothing are the same. */
export async function sameWhenReopened(log: SessionLog): Promise<void> {
  const file = log.file as string
  const warm = openLog(file)
  sameRows(log, warm)
  const cold = openCold(file)
  sameRows(warm, cold)
  await cold.close()
  const warmAgain = openLog(file)
  sameRows(log, warmAgain)
  await Promise.all([warm.close(), warmAgain.close()])
}

/** The code of a refusal. */
export async function codeOf(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === "function" ? work() : work)
  } catch (error) {
    return (error as RetconError).code
  }
  return "none"
}

/** Texts on the path, oldest first. */
export function texts(log: SessionLog): string[] {
  const found: string[] = []
  for (let row = log.history.head; row < log.history.size; row = log.history.parent(row)) {
    const record = log.history.record(row)
    const part = record?.type === "message" ? record.content[0] : undefined
    found.push(part?.type === "text" ? part.text : `(${record?.type ?? "unreadable"})`)
  }
  return found.reverse()
}

export function damage(log: SessionLog): { line: number; problem: string }[] {
  const found: { line: number; problem: string }[] = []
  for (let row = 0; row < log.history.size; row++) {
    const problem = log.problem(row)
    if (problem !== undefined) found.push({ line: row + 1, problem })
  }
  return found
}

const bundles = new Map<string, Promise<string>>()

/** The file of a program, bundled. */
function bundled(program: string): Promise<string> {
  const known = bundles.get(program) ?? bundle(program)
  bundles.set(program, known)
  return known
}

async function bundle(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "retcon-program-"))
  // A program may run as another user.
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  await build({
    config: false,
    entry: { [program]: resolve("test/store/programs", `${program}.ts`) },
    outDir: folder,
    format: "esm",
    platform: "node",
    target: "node20",
    fixedExtension: false,
    outExtensions: () => ({ js: ".mjs" }),
    dts: false,
    clean: false,
    report: false,
    logLevel: "silent",
  })
  return join(folder, `${program}.mjs`)
}

export interface Child {
  process: ChildProcess
  /** Lines it prints; ends when it ends. */
  lines: AsyncIterableIterator<string>
  /** All it printed, once it has ended, and how. */
  ended: Promise<{ code: number | null; signal: string | null; errors: string }>
  send(line: string): void
}

/**
 * Runs programs of `programs/` as processes of their own. They are bundled once, because node starts a bundle quickest.
 * Starts a program. `under` stands before it: a command that changes what the process may do.
 */
export async function start(program: string, args: string[] = [], under: string[] = []): Promise<Child> {
  const [command, ...rest] = [...under, process.execPath, await bundled(program), ...args]
  const child = spawn(command as string, rest, { stdio: ["pipe", "pipe", "pipe"] })
  let errors = ""
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString()
  })
  child.stdin.on("error", () => undefined)
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>((done, fail) => {
    child.on("error", fail)
    child.on("close", (code, signal) => done({ code, signal, errors }))
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, lines, ended, send: (line) => child.stdin.write(`${line}\n`) }
}

/** Runs a program to its end and answers the lines it printed. */
export async function run(program: string, args: string[] = [], under: string[] = []): Promise<string[]> {
  const child = await start(program, args, under)
  const printed: string[] = []
  for await (const line of child.lines) printed.push(line)
  const { code, errors } = await child.ended
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`)
  return printed
}
