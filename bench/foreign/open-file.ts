// Opens a session of Claude Code by its file, as a command does.
import { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import { claudeCode } from "../../src/formats/claude-code/format.ts"

export async function openFile(file: string, home: string): Promise<ForeignLog> {
  const opened = await claudeCode.open({ path: file, main: file })
  return new ForeignLog(opened, { agent: "claude-code", path: file, home, now: () => Date.now() })
}
