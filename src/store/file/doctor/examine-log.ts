// Examines every byte of a log and reports everything that is wrong with it. Only reads: doctor repairs nothing.
import { isUtf8 } from "node:buffer"
import { closeSync, fstatSync, openSync, statSync } from "node:fs"
import { FLAG, PAGE_ROWS, WORDS } from "../../../history/rows/columns.ts"
import type { Rows } from "../../../history/rows/rows.ts"
import { NONE } from "../../../history/tree/tree.ts"
import { LONGEST_LINE } from "../../../model/record/facts.ts"
import { isEntry, KIND, type LogRecord } from "../../../model/record/record.ts"
import { parseRecord } from "../../../model/record/record-parse.ts"
import { accessTo } from "../../../model/record/version.ts"
import { blobFolder, idInName, indexFile } from "../disk/layout.ts"
import { errno } from "../disk/problems.ts"
import { logFits } from "../index/fingerprint.ts"
import { type OpenIndex, openIndex } from "../index/index-file.ts"
import { blobProblem, blobsOf } from "../log/blobs.ts"
import { LogHistory } from "../log/log-history.ts"
import { scan } from "../log/scan.ts"
import type { Examined, Finding, Tick } from "./finding.ts"

const RETURN = 13
const BRACE = 123
const TICK_BYTES = 1024 * 1024

/** Contract: never throws because of the file's content or place; never writes; opens only regular files. */
export async function examineLog(file: string, tick: Tick): Promise<Examined> {
  const found: Examined = { path: file, lines: 0, findings: [] }
  let fd: number | undefined
  try {
    const problem = notALog(file)
    if (problem !== undefined) found.findings.push({ kind: "not-a-session", problem })
    else {
      fd = openSync(file, "r")
      await examine(file, fd, found, tick)
    }
  } catch (error) {
    if (errno(error) === undefined) throw error
    found.findings.push({ kind: "cannot-read", problem: error instanceof Error ? error.message : String(error) })
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
  return found
}

function notALog(file: string): string | undefined {
  const stat = statSync(file)
  if (stat.isDirectory()) return "it is a folder"
  if (!stat.isFile()) return "it is not a regular file"
  return stat.size === 0 ? "it is empty" : undefined
}

async function examine(file: string, fd: number, found: Examined, tick: Tick): Promise<void> {
  const { findings } = found
  const { size } = fstatSync(fd)
  const history = new LogHistory(fd, file)
  const { tail } = scan(fd, history, 0, size)
  found.lines = history.size
  const roots: { first: number | undefined } = { first: undefined }
  let next = 0
  for (let row = 0; row < history.size; row++) {
    findings.push(...examineRow(file, history, row, roots))
    const at = history.offset(row)
    if (at < next) continue
    next = at + TICK_BYTES
    await tick(at)
  }
  if (tail !== undefined && !tail.whole) {
    findings.push({ kind: "torn-tail", line: history.size + 1, bytes: tail.length })
  }
  if (history.size > 0) findings.unshift(...examineHeader(file, history))
  else if (tail !== undefined) findings.push({ kind: "not-a-session", problem: "it has no complete line" })
  findings.push(...compareIndex(file, fd, size, history))
}

function* examineHeader(file: string, history: LogHistory): Generator<Finding> {
  const read = history.read(0)
  if (!read.ok) yield { kind: "header-damaged", line: 1, problem: read.problem }
  else if (read.value.type !== "session") {
    yield { kind: "header-damaged", line: 1, problem: `it is a ${read.value.type} record` }
  } else {
    const { id, reads } = read.value
    if (accessTo(read.value) === "refused") yield { kind: "format-newer", reads }
    const named = idInName(file)
    if (named !== undefined && named !== id) yield { kind: "name-differs", line: 1, id }
  }
}

function* examineRow(
  file: string,
  history: LogHistory,
  row: number,
  roots: { first: number | undefined },
): Generator<Finding> {
  const line = row + 1
  if (history.kind(row) === KIND.blank) return
  const bytes = history.length(row)
  if (bytes > LONGEST_LINE) {
    yield { kind: "oversize-line", line, bytes }
    return
  }
  const text = history.line(row)
  if (text.at(-1) === RETURN) yield { kind: "crlf", line }
  const parsed = parseRecord(text.toString("utf8"))
  if (!parsed.ok) {
    if (text.includes(0)) yield { kind: "nul-bytes", line, bytes }
    else if (isSealed(history, row, text)) yield { kind: "torn-line", line, bytes }
    else if (row > 0) yield { kind: "damaged-line", line, bytes, problem: parsed.problem }
    return
  }
  if (!isUtf8(text)) yield { kind: "invalid-utf8", line }
  const record = parsed.value
  if (history.flag(row, FLAG.duplicate)) {
    yield { kind: "duplicate-id", line, id: record.id, first: history.rowOf(record.id) + 1 }
    return
  }
  yield* examineRecord(history, row, record, roots)
  for (const hash of blobsOf(record)) {
    const problem = blobProblem(blobFolder(file), hash)
    if (problem !== undefined) yield { kind: problem === "missing" ? "blob-missing" : "blob-changed", line, hash }
  }
}

/** Whether it is the beginning of a record, followed by the blank line of the writer that found it torn. */
function isSealed(history: LogHistory, row: number, text: Buffer): boolean {
  return row > 0 && text[0] === BRACE && row + 1 < history.size && history.kind(row + 1) === KIND.blank
}

function* examineRecord(
  history: LogHistory,
  row: number,
  record: LogRecord,
  roots: { first: number | undefined },
): Generator<Finding> {
  const line = row + 1
  const lost = history.flag(row, FLAG.lost)
  if (record.type === "session" && row > 0) yield { kind: "extra-header", line, id: record.id }
  if (record.type === "unknown" || record.type === "unknown-entry") {
    yield { kind: "unknown-type", line, type: record.was }
  }
  if (record.type === "operation" && lost) yield { kind: "unknown-head", line, to: record.head.to ?? "" }
  if (!isEntry(record)) return
  if (record.parent !== null) {
    const later = history.rowOf(record.parent) !== NONE
    if (lost) yield { kind: "missing-parent", line, id: record.id, parent: record.parent, later }
    return
  }
  // A second root is expected after someone went back to the start.
  if (roots.first === undefined) roots.first = line
  else if (history.headAfter(row - 1) !== NONE) yield { kind: "second-root", line, first: roots.first }
}

/**
 * Compares the sidecar index with rows just made from the log. Contract: `rows` are those of the whole log. A missing
 * index is fine: it is created when next needed.
 */
function compareIndex(file: string, logFd: number, logSize: number, rows: Rows): Finding[] {
  const name = indexFile(file)
  if (statSync(name, { throwIfNoEntry: false }) === undefined) return []
  const index = openIndex(name, logFits(logFd, logSize))
  if (index === undefined) return [{ kind: "index-unusable" }]
  try {
    const row = firstDifference(index, rows)
    return row === undefined ? [] : [{ kind: "index-wrong", row }]
  } finally {
    closeSync(index.fd)
  }
}

function firstDifference(index: OpenIndex, rows: Rows): number | undefined {
  for (let number = 0; number * PAGE_ROWS < index.rows; number++) {
    const first = number * PAGE_ROWS
    const [stored, fresh] = [index.page(number), rows.page(number)]
    if (stored === undefined) return first
    const words = Math.min(PAGE_ROWS, index.rows - first, rows.size - first) * WORDS
    for (let at = 0; at < words; at++) if (stored[at] !== fresh[at]) return first + Math.floor(at / WORDS)
  }
  return index.rows > rows.size ? rows.size : undefined
}
