// Which process is working in a session. Claude Code keeps no file open, but registers itself while it runs.
import { statSync } from "node:fs"
import { join } from "node:path"
import { isRunning } from "../../holder/process.ts"
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
    if (textField(entry, "sessionId") !== session || pid === undefined) continue
    const start = textField(entry, "procStart") ?? numberField(entry, "procStart")?.toString()
    if (isRunning(pid, start ?? "")) return { pid }
  }
  return undefined
}
