// /context: which files of the person's and the project's the agent reads, which not, and why.
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { ReadingRow } from "../../protocol/shapes.ts"

/** One line for each, what is used first. */
export function readingLines(rows: readonly ReadingRow[]): string[] {
  if (rows.length === 0) return ["The agent reads no instructions, skills or commands here."]
  const used = rows.filter((row) => row.used)
  const left = rows.filter((row) => !row.used)
  return [
    ...(used.length === 0 ? [] : ["The agent reads, from the start of a conversation or when it is asked to:"]),
    ...used.map((row) => `  ${line(row)}`),
    ...(left.length === 0 ? [] : ["Not used:"]),
    ...left.map((row) => `  ${line(row)}`),
  ]
}

function line({ kind, name, path, bytes, because }: ReadingRow): string {
  const what = name === undefined ? path : `/${name} (${kind}, ${path})`
  return sanitiseLine(`${what}${bytes === undefined ? "" : `, ${count(bytes, "byte")}`}: ${because}`)
}
