// Which process is working in a session. Claude Code keeps no file open, but registers itself while it runs.
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { filesIn } from "../shared/folder-contents.ts"
import { firstLine, numberField, parseLine, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"

export function holderOf(config: string | undefined, session: string): { pid: number } | undefined | "unknown" {
  const folder = config === undefined ? undefined : join(config, "sessions")
  // Older versions have no such folder and leave no trace.
  if (folder === undefined || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return "unknown"
  for (const file of filesIn(folder, ".json")) {
    const bytes = readHead(file)
    const entry = parseLine(bytes) ?? firstLine(bytes)
    const pid = numberField(entry, "pid")
    if (textField(entry, "sessionId") !== session || pid === undefined || !Number.isSafeInteger(pid)) continue
    const start = textField(entry, "procStart") ?? numberField(entry, "procStart")?.toString()
    if (pid > 0 && isRunning(pid, start)) return { pid }
  }
  return undefined
}

/** Whether this is the process that registered: process ids are reused. */
function isRunning(pid: number, start: string | undefined): boolean {
  const now = startOf(pid)
  if (now !== undefined && start !== undefined) return now === start
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/** When a process started, in ticks since boot; undefined if the system does not say. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The program's name, in parentheses, may contain anything. The start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
}
