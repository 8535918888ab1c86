// A home in which other agents have worked: many sessions, as short as most are.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { writeClaudeFile } from "./claude-file.ts"

const PROJECTS = 20
const SESSION_BYTES = 24_000

/** Half of them Claude Code's, half pi's. */
export function makeHomes(person: string, sessions: number): void {
  for (let n = 0; n < sessions; n++) {
    const project = `-work-project-${n % PROJECTS}`
    const name = `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
    if (n % 2 === 0) {
      const folder = join(person, ".claude", "projects", project)
      mkdirSync(folder, { recursive: true })
      writeClaudeFile(join(folder, `${name}.jsonl`), { bytes: SESSION_BYTES, lines: "short" })
    } else {
      const folder = join(person, ".pi", "agent", "sessions", project)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `2026-01-01T00-00-00-000Z_${name}.jsonl`), piFile(name))
    }
  }
}

function piFile(name: string): string {
  const timestamp = "2026-01-01T00:00:00.000Z"
  const lines: object[] = [{ type: "session", version: 3, id: name, timestamp, cwd: "/home/you/project" }]
  let parentId: string | null = null
  for (let n = 0; n < 40; n++) {
    const id = n.toString(16).padStart(8, "0")
    const content = [{ type: "text", text: `message ${n} ${"of a session ".repeat(40)}` }]
    lines.push({
      type: "message",
      id,
      parentId,
      timestamp,
      message: { role: n % 2 === 0 ? "user" : "assistant", content },
    })
    parentId = id
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("")
}
