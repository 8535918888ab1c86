// The copies of files that Claude Code keeps before its tools change them.
import { lstat, readFile } from "node:fs/promises"
import { isAbsolute, join, resolve } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { FileHistory } from "../port.ts"
import { objectField, textField } from "../shared/json-line.ts"
import { linesOnce } from "../shared/lines-once.ts"

interface Kept {
  path: string
  config: string
  session: string
  cwd: string
}

/** Where backups are named as hash and version. Nothing else is a name of one. */
const BACKUP = /^[A-Za-z0-9_-]+@v\d+$/
const SESSION = /^[A-Za-z0-9-]+$/

export function claudeFileHistory({ path, config, session, cwd }: Kept): FileHistory {
  const folder = SESSION.test(session) ? join(config, "file-history", session) : undefined
  const lines = linesOnce(path, ['{"type":"file-history-'])
  return {
    reaches: "tool edits",
    async before(prompt) {
      const backups = backupsBefore(await lines(), prompt)
      return [...backups].flatMap(([file, backup]) => {
        const bytes = folder === undefined ? undefined : bytesOf(folder, backup)
        return bytes === undefined ? [] : [{ path: isAbsolute(file) ? file : resolve(cwd, file), bytes }]
      })
    },
  }
}

/** Undefined for a name that is none. Null: the file was not there. Rejects for a backup that is gone. */
function bytesOf(folder: string, backup: Json): (() => Promise<Uint8Array | null>) | undefined {
  if (backup === null) return () => Promise.resolve(null)
  if (typeof backup !== "string" || !BACKUP.test(backup)) return undefined
  const file = join(folder, backup)
  return async () => {
    if (!(await lstat(file)).isFile()) throw new RetconError({ code: "io", path: file, problem: "it is no file" })
    return readFile(file)
  }
}

/** By file, the name of the copy of what it held before a prompt; null: it was not there. */
function backupsBefore(lines: readonly JsonObject[], prompt: string): Map<string, Json> {
  const found = new Map<string, Json>()
  for (const line of lines) addBackups(found, line, prompt)
  return found
}

/** A snapshot for each prompt; then, when a tool first touches a file, an update of it or a line for that file alone. */
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
