// What files contained before Neovate's tools wrote to them: copies in a folder of the session, which its lines refer to.
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { isAbsolute, join, normalize } from "node:path"
import type { EntryId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import type { FileHistory } from "../port.ts"
import { objectField, textField } from "../shared/json-line.ts"
import { linesOnce } from "../shared/lines-once.ts"

/** Names of copies, as Neovate makes them: nothing else becomes a path. */
const COPY = /^[0-9a-f]{16}@v\d+$/

/** `folder`: the copies of the session in `file`. */
export function fileHistoryOf(file: string, folder: string): FileHistory {
  const lines = linesOnce(file, ["{"])
  return {
    reaches: "tool edits",
    async before(prompt) {
      const found = new Map<string, string | null>()
      for (const backups of backupsBehind(await lines(), prompt)) {
        for (const [path, backup] of Object.entries(backups)) {
          const copy = copyIn(backup === null ? undefined : objectField(backups, path), folder)
          // The first copy after the prompt is the file's content before it.
          if (copy !== undefined && isInside(path) && !found.has(path)) found.set(path, copy)
        }
      }
      return [...found].map(([path, copy]) => ({
        path,
        bytes: async () => (copy === null ? null : await readFile(copy)),
      }))
    },
  }
}

/** The copies that belong to messages after an entry, in order. */
function backupsBehind(lines: readonly JsonObject[], entry: EntryId): JsonObject[] {
  const behind = new Set<string>([entry])
  for (const { uuid, parentUuid } of lines) {
    if (typeof uuid === "string" && typeof parentUuid === "string" && behind.has(parentUuid)) behind.add(uuid)
  }
  return lines.flatMap((line) => {
    const snapshot = line.type === "file-history-snapshot" ? objectField(line, "snapshot") : undefined
    const backups = objectField(snapshot, "trackedFileBackups")
    return backups !== undefined && behind.has(textField(snapshot, "messageId") ?? "") ? [backups] : []
  })
}

/** Where a copy is; null if the file did not exist; undefined if its content is unknown. */
function copyIn(backup: JsonObject | undefined, folder: string): string | null | undefined {
  if (backup?.backupFileName === null) return null
  const name = textField(backup, "backupFileName")
  if (name === undefined || !COPY.test(name)) return undefined
  const path = join(folder, name)
  return existsSync(path) ? path : undefined
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && !normalize(path).startsWith("..")
}
