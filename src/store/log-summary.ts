// What a list shows of a session, computed when its index is written.
import type { Rows } from "../history/rows/rows.ts"
import { isOfMovedFolder } from "../history/tree/directory.ts"
import { config, type History, NONE, type Row } from "../history/tree/tree.ts"
import { ORIGINS } from "../model/record/origin.ts"
import { KIND, plainText } from "../model/record/record.ts"
import { oneLine } from "../model/text/one-line.ts"

/** The part that comes from the log itself; a store adds where it is. */
export interface LogSummary {
  title: string
  /** On the path. */
  prompts: number
  branches: number
  /** ISO time of the last record. Moving a session's folder does not count as using it. */
  updated: string
  archived: boolean
}

/** The part that an index stores. */
export interface KnownSummary extends LogSummary {
  /** The text of the first prompt, or of the task: the title if nobody gave one. */
  opening: string
}

const TITLE_LENGTH = 120
/** Longer than any ISO time: a log may contain anything. */
const TIME_LENGTH = 40

/** `known`: a summary of the first rows; it saves reading the first prompt again. */
export function summarise(history: Rows & History, known?: { summary: KnownSummary; rows: number }): KnownSummary {
  const settings = config(history)
  const title = settings.get("title")
  const isKnown = known !== undefined && history.firstPrompt < known.rows
  const opening = isKnown ? known.summary.opening : oneLine(firstPrompt(history), TITLE_LENGTH)
  return {
    title: typeof title === "string" ? oneLine(title, TITLE_LENGTH) : opening,
    opening,
    prompts: history.round(history.head),
    branches: history.branches,
    updated: lastTime(history),
    archived: settings.get("archived") === true,
  }
}

/** The order of a list. */
export function newestFirst(a: { id: string; updated: string }, b: { id: string; updated: string }): number {
  if (a.updated !== b.updated) return a.updated < b.updated ? 1 : -1
  return a.id < b.id ? 1 : -1
}

function firstPrompt(history: Rows & History): string {
  const row = history.firstPrompt === NONE ? firstTask(history) : history.firstPrompt
  const record = row === NONE ? undefined : history.record(row)
  return record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
}

/** How far into a log to look for a task: the session of a sub-agent begins with it. */
const TASK_ROWS = 32

function firstTask(history: History): Row {
  for (let row = 0; row < Math.min(history.size, TASK_ROWS); row++) {
    if (history.kind(row) === KIND.message && ORIGINS[history.origin(row)] === "task") return row
  }
  return NONE
}

function lastTime(history: History): string {
  for (let row = history.size - 1; row >= 0; row--) {
    const record = history.record(row)
    if (record !== undefined && !isOfMovedFolder(record)) return record.at.slice(0, TIME_LENGTH)
  }
  return ""
}
