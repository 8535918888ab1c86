// Sessions of pi as a test writes them.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pi } from "../../../src/formats/pi/format.ts"
import { readSession, temporaryFolder } from "../read-session.ts"

export type Line = Record<string, unknown>

export const NAME = "01a1e0f3-469b-754c-b6db-6272ee553265"
export const header = { type: "session", version: 3, id: NAME, timestamp: "2026-11-16T10:00:00.000Z", cwd: "/home/you" }

/** Entries, each behind the one before it unless it says where; ids are 00000001 and so on. */
export function entries(lines: readonly Line[]): Line[] {
  return lines.map((line, i) => ({
    id: idOf(i),
    parentId: i === 0 ? null : idOf(i - 1),
    timestamp: new Date(Date.UTC(2026, 10, 16, 10, 0, i)).toISOString(),
    ...line,
  }))
}

export function idOf(i: number): string {
  return (i + 1).toString(16).padStart(8, "0")
}

export const message = (role: string, content: unknown, more: Line = {}): Line => ({
  type: "message",
  message: { role, content, ...more },
})

export const text = (value: string) => ({ type: "text", text: value })

export function sessionFile(lines: readonly Line[], first: Line = header): string {
  const path = join(temporaryFolder(), `2026-11-16T10-00-00-000Z_${NAME}.jsonl`)
  writeFileSync(path, [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""))
  return path
}

export async function historyOf(...lines: Line[]) {
  return (await readSession(pi, sessionFile(entries(lines)))).history
}
