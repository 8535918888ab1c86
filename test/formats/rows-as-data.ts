// Rows as plain data, to compare two readings of a session.
import type { Rows } from "../../src/history/rows/rows.ts"
import { type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import { KIND } from "../../src/model/record/kind.ts"
import { ORIGINS, ROLES } from "../../src/model/record/origin.ts"
import { plainText } from "../../src/model/record/part.ts"

const KIND_NAMES = new Map(Object.entries(KIND).map(([name, kind]) => [kind as number, name]))

/** Every column of a row that says what it is. */
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
