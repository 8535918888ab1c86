// A session of Claude Code in the home of a person.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const SAMPLE = join(import.meta.dirname, "../formats/claude-code/samples/plain-3turns.v325.jsonl")
const TEXT = readFileSync(SAMPLE, "utf8")

/** Claude Code's own name of it. */
export const CLAUDE_NAME = /"sessionId":"([^"]+)"/.exec(TEXT)?.[1] ?? ""

/** `registry`: where Claude Code says what it has open. `folder`: the person's home is in it. */
export function putClaudeSession({ folder, cwd }: { folder: string; cwd: string }): { file: string; registry: string } {
  const config = join(folder, "person", ".claude")
  const project = join(config, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"))
  const registry = join(config, "sessions")
  mkdirSync(project, { recursive: true })
  mkdirSync(registry)
  const file = join(project, `${CLAUDE_NAME}.jsonl`)
  writeFileSync(file, TEXT.replaceAll('"cwd":"/home/you/proj"', `"cwd":${JSON.stringify(cwd)}`))
  return { file, registry }
}

/** Claude Code has it open, in a process that is this one. */
export function registerClaude(registry: string): void {
  const own = readFileSync("/proc/self/stat", "latin1")
  const procStart = own.slice(own.lastIndexOf(")") + 2).split(" ")[19]
  const registered = { pid: process.pid, sessionId: CLAUDE_NAME, procStart }
  writeFileSync(join(registry, `${process.pid}.json`), JSON.stringify(registered))
}
