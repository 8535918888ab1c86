// What another agent's session consists of, line by line, and what is wrong with it.

import type { ForeignLog } from "../../foreign/log/foreign-log.ts"
import { FLAG } from "../../history/rows/columns.ts"
import { commonAncestor, entryId, isOnPath, NONE, path, type Row } from "../../history/tree/tree.ts"
import type { EntryId, RecordId } from "../../model/id.ts"
import { parseJson } from "../../model/json.ts"
import { LONGEST_LINE } from "../../model/record/facts.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import type { CountedMessages } from "../../protocol/shapes.ts"
import type { SessionLog } from "../../store/port.ts"

const NAMES = new Map<number, string>([
  [KIND.checkpoint, "checkpoint"],
  [KIND.note, "note"],
  [KIND.compaction, "compaction"],
  [KIND.state, "state"],
  [KIND.operation, "move"],
  [KIND.label, "label"],
  [KIND.config, "title"],
  [KIND.amendment, "new body"],
])
const USER = ROLES.indexOf("user")

export interface ReportedLine {
  line: number
  id: RecordId
  parent: EntryId | null
  /** Who or what said it; for anything but a message, what it is. */
  origin: string
  why: string
  onPath: boolean
}

export interface ForeignReport {
  lines: ReportedLine[]
  prompts: CountedMessages
  /** Messages with the role user: what you would count without looking closer. */
  userMessages: CountedMessages
  /** Lines that cannot be read. */
  damaged: number[]
  /** Lines that are JSON, but have the id of another line or an unknown shape. */
  duplicates: number[]
  /** Entries whose parent is missing. */
  orphans: { line: number; id: RecordId }[]
  /** Tips that the head is not on. */
  branches: { line: number; id: RecordId; messages: number }[]
  head: { line: number; id: EntryId } | null
  /** Bytes after the last complete line. */
  torn: number
}

/** Contract: the log is another agent's. */
export function reportOf(log: SessionLog): ForeignReport {
  return reportOn(log as ForeignLog)
}

export function reportOn(log: ForeignLog): ForeignReport {
  const { history } = log
  const { head } = history
  const walked = new Set(path(history, head))
  const report: ForeignReport = {
    lines: [],
    prompts: { path: 0, all: 0 },
    userMessages: { path: 0, all: 0 },
    damaged: [],
    duplicates: [],
    orphans: [],
    branches: [],
    head: null,
    torn: log.tornTail?.length ?? 0,
  }
  const numbers = new Map<Row, number>()
  for (let row = 0; row < history.size; row++) {
    const line = log.lineNumber(row)
    // Our own records are on no line of the agent's file.
    if (line === 0) continue
    numbers.set(row, line)
    const kind = history.kind(row)
    if (kind === KIND.damaged) {
      ;(isTwice(log, row) ? report.duplicates : report.damaged).push(line)
      continue
    }
    const bytes = Buffer.from(log.line(row))
    const onPath = walked.has(row)
    count(report.prompts, history.isPrompt(row), onPath)
    count(report.userMessages, kind === KIND.message && history.role(row) === USER, onPath)
    if (isEntryKind(kind) && history.flag(row, FLAG.lost)) report.orphans.push({ line, id: history.id(row) })
    report.lines.push({
      line,
      // An amendment has no id of its own.
      id: history.id(kind === KIND.amendment ? history.unit(row) : row),
      parent: isEntryKind(kind) ? entryId(history, history.parent(row)) : null,
      origin: kind === KIND.message ? (ORIGINS[history.origin(row)] ?? "unknown") : (NAMES.get(kind) ?? "other"),
      why: log.opened.why(row, bytes),
      onPath,
    })
  }
  for (const tip of history.tips()) {
    if (isOnPath(history, tip, head)) continue
    const common = commonAncestor(history, tip, head)
    const messages = history.messages(tip) - (common === NONE ? 0 : history.messages(common))
    report.branches.push({ line: numbers.get(tip) ?? 0, id: history.id(tip), messages })
  }
  const at = entryId(history, head)
  if (at !== null) report.head = { line: numbers.get(head) ?? 0, id: at }
  return report
}

/** Whether a line that makes no entry is JSON: then it has the id of another, or an unknown shape. */
export function isTwice(log: ForeignLog, row: Row): boolean {
  if (log.history.length(row) > LONGEST_LINE) return false
  return parseJson(Buffer.from(log.line(row)).toString("utf8")).ok
}

function count(counted: CountedMessages, counts: boolean, onPath: boolean): void {
  if (!counts) return
  counted.all++
  if (onPath) counted.path++
}
