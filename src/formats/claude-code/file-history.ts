// The copies of files that Claude Code keeps before its tools change them.
import { lstat, readFile } from "node:fs/promises"
import { isAbsolute, join, resolve } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { FileHistory } from "../port.ts"
import { objectField, textField } from "../shared/json-line.ts"
import { linesOnce } from "../shared/lines-once.ts"
import { gitRecords } from "./git-records.ts"

interface Kept {
  path: string
  config: string
  session: string
  cwd: string
}

/** The names of backups: hash and version. Nothing else is accepted. */
const BACKUP = /^[A-Za-z0-9_-]+@v\d+$/
const SESSION = /^[A-Za-z0-9-]+$/

export function claudeFileHistory({ path, config, session, cwd }: Kept): FileHistory {
  const folder = SESSION.test(session) ? join(config, "file-history", session) : undefined
  const lines = linesOnce(path, ['{"type":"file-history-'])
  const ofPrompts = gitRecords(path)
  return {
    reaches: "tool edits",
    ...(ofPrompts !== undefined && { commits: { by: "Any-code", ofPrompts } }),
    async before(prompt) {
      const backups = backupsBefore(await lines(), prompt)
      return [...backups].flatMap(([file, backup]) => {
        const bytes = folder === undefined ? undefined : bytesOf(folder, backup)
        return bytes === undefined ? [] : [{ path: isAbsolute(file) ? file : resolve(cwd, file), bytes }]
      })
    },
  }
}

/** Undefined if the name is invalid. Resolves to null if the file did not exist. Rejects if the backup is gone. */
function bytesOf(folder: string, backup: Json): (() => Promise<Uint8Array | null>) | undefined {
  if (backup === null) return () => Promise.resolve(null)
  if (typeof backup !== "string" || !BACKUP.test(backup)) return undefined
  const file = join(folder, backup)
  return async () => {
    if (!(await lstat(file)).isFile()) throw new RetconError({ code: "io", path: file, problem: "it is not a file" })
    return readFile(file)
  }
}

/** For each file, the name of the copy from before a prompt; null if the file did not exist. */
function backupsBefore(lines: readonly JsonObject[], prompt: string): Map<string, Json> {
  const found = new Map<string, Json>()
  for (const line of lines) addBackups(found, line, prompt)
  return found
}

/** There is a snapshot per prompt and then, when a tool first touches a file, an update of it or a line for that file alone. */
function addBackups(found: Map<string, Json>, line: JsonObject, prompt: string): void {
  const snapshot = objectField(line, "snapshot")
  if (textField(line, "snapshotMessageId") === prompt) {
    const file = textField(line, "trackingPath")
    if (file !== undefined) found.set(file, objectField(line, "backup")?.backupFileName ?? null)
  } else if (textField(snapshot, "messageId") === prompt) {
    for (const [file, backup] of Object.entries(objectField(snapshot, "trackedFileBackups") ?? {})) {
      if (isObject(backup)) found.set(file, backup.backupFileName ?? null)
    }
  }
}
