// A session of another agent as a test reads it: all rows from its files, nothing of ours beside them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { ForeignHistory } from "../../src/foreign/scan/foreign-history.ts"
import { HookQueue } from "../../src/foreign/scan/hook-queue.ts"
import { ScannedSession } from "../../src/foreign/scan/scanned-session.ts"
import type { Format, Glance, Opened, SessionPlace } from "../../src/formats/port.ts"
import { contextAt } from "../../src/history/context/context.ts"
import type { Rows } from "../../src/history/rows/rows.ts"
import { type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import type { RecordId } from "../../src/model/id.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import { KIND, plainText } from "../../src/model/record/record.ts"

export const NOTHING_OURS = {
  operation: () => undefined,
  takeAfter: () => [],
  record: () => undefined,
  takeFirst: () => [],
  takeReached: () => [],
  takeRest: () => [],
  skip: () => true,
  rewind: () => undefined,
  hooks: new HookQueue(),
}

export interface ReadSession {
  opened: Opened
  session: ScannedSession
  history: ForeignHistory
}

/** What the format makes of a path, found by its content as a person's `-s PATH` is. */
export function placeOf(format: Format, path: string): SessionPlace {
  const folder = statSync(path).isDirectory()
  const head = folder ? undefined : readFileSync(path).subarray(0, 64 * 1024)
  const place = format.detect({ path, head, names: folder ? readdirSync(path) : undefined })
  if (place === undefined) throw new Error(`${format.agent} does not know ${path}`)
  return place
}

export async function readSession(format: Format, path: string): Promise<ReadSession> {
  const opened = await format.open(placeOf(format, path))
  const session = new ScannedSession(opened, NOTHING_OURS)
  session.load()
  return { opened, session, history: session.history }
}

/** Folders that are gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "retcon-format-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Files of other agents as a test writes them: lines of JSON in a folder that is gone after the test. A text is a line
 * as it is, anything else is printed as JSON.
 */
export function linesFile(lines: readonly unknown[], name = "session.jsonl", folder = temporaryFolder()): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  return path
}

/** What a person typed, in order, on the path to the head. */
export function promptsOf(history: History & Rows): string[] {
  const found: string[] = []
  for (let row = history.prompt(history.head); row !== NONE; row = history.prompt(history.parent(row))) {
    const record = history.record(row)
    if (record?.type !== "message") continue
    const texts = record.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
    found.unshift(record.display ?? texts.join("\n"))
  }
  return found
}

/** What the model gets, a line per part. */
export function contextOf(history: History): string[] {
  return contextAt(history).flatMap(({ role, content }) =>
    content.map((part) => {
      if (part.type === "text" || part.type === "reasoning") return `${role}: ${part.text}`
      if (part.type === "tool-call") return `${role}: call ${part.call}`
      return part.type === "tool-result" ? `${role}: result ${part.call} ${part.output}` : `${role}: ${part.type}`
    }),
  )
}

/** What a format would append to go to a row, as a test looks at it. */
export const OPERATION = "01a1e600-0000-7000-8000-0000abcdef12"

/** The lines, parsed; or why not. */
export function movedBy({ session }: ReadSession, to: Row) {
  const head = { from: null, to: null }
  const at = "2026-11-16T17:00:00.000Z"
  const move = session.move(to, { id: OPERATION as RecordId, type: "operation", at, kind: "goto", by: "person", head })
  return move?.ok === true ? move.lines.map((line) => JSON.parse(line)) : move
}

/** The only line. */
export function moveTo(read: ReadSession, to: Row) {
  const moved = movedBy(read, to)
  return Array.isArray(moved) && moved.length === 1 ? moved[0] : moved
}

/** What a list would show of a session: from its first and last bytes, and small files beside it. */
export function glanceAt(format: Format, place: SessionPlace): Glance | undefined {
  const bytes = readFileSync(place.main)
  return format.glance(place, { head: bytes.subarray(0, 4096), tail: bytes.subarray(-4096), read })
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path).subarray(0, 64 * 1024)
  } catch {
    return undefined
  }
}

const KIND_NAMES = new Map(Object.entries(KIND).map(([name, kind]) => [kind as number, name]))

/** Rows as plain data, to compare two readings of a session. Every column of a row that says what it is. */
export function rowsOf(rows: Rows): unknown[] {
  return Array.from({ length: rows.size }, (_, row) => ({
    id: rows.id(row),
    kind: rows.kind(row),
    role: rows.role(row),
    origin: rows.origin(row),
    prompt: rows.isPrompt(row),
    parent: rows.parent(row),
    head: rows.headAfter(row),
    unit: rows.unit(row),
    offset: rows.offset(row),
    length: rows.length(row),
  }))
}

/** The tree in words, one line per row: what a golden file holds. */
export function outline(history: History & Rows): string {
  const lines: string[] = []
  for (let row = 0; row < history.size; row++) lines.push(lineOf(history, row))
  lines.push(`head ${nameOf(history, history.head)}`)
  return `${lines.join("\n")}\n`
}

function lineOf(history: History & Rows, row: Row): string {
  const record = history.record(row)
  const kind = KIND_NAMES.get(history.kind(row)) ?? "?"
  const parent = history.parent(row) === NONE ? "-" : nameOf(history, history.parent(row))
  const said = history.kind(row) === KIND.message ? ` ${ROLES[history.role(row)]}/${ORIGINS[history.origin(row)]}` : ""
  const prompt = history.isPrompt(row) ? " PROMPT" : ""
  const text = record?.type === "message" ? ` ${summary(record.content)}` : ""
  return `${nameOf(history, row)} < ${parent} ${kind}${said}${prompt}${text}`
}

function nameOf(history: History, row: Row): string {
  return row === NONE ? "-" : history.id(row).slice(-8)
}

function summary(content: Parameters<typeof plainText>[0]): string {
  const others = content.filter(({ type }) => type !== "text").map(({ type }) => type)
  const text = plainText(content).replaceAll(/\s+/g, " ").slice(0, 60)
  return [JSON.stringify(text), ...others].join(" ")
}
