// Files of other agents as a test writes them: lines of JSON in a folder that is gone after the test.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { contextAt } from "../../src/history/context/context.ts"
import type { Rows } from "../../src/history/rows/rows.ts"
import { type History, NONE } from "../../src/history/tree/tree.ts"
import { temporaryFolder } from "./temporary.ts"

/** A text is a line as it is, anything else is printed as JSON. */
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
