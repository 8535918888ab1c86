// Sessions as files under retcon's home.
import { lstatSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId } from "../../model/id.ts"
import type { SessionRecord } from "../../model/record/record.ts"
import { printRecord } from "../../model/record/record-print.ts"
import { newestFirst } from "../log-summary.ts"
import type { ListQuery, SessionLog, SessionStore, SessionSummary } from "../port.ts"
import { directorySlug, indexFile, LOG_SUFFIX, logFile, sessionsFolder, tipsFile, trashFolder } from "./disk/layout.ts"
import { attempt, attemptRead, ensureFolder, errno, orNothing, syncFolder } from "./disk/problems.ts"
import { listFolder } from "./folder/list-folder.ts"
import { endConsent } from "./local/local-files.ts"

export interface FileStoreOptions {
  /** retcon's home: sessions are in `sessions/`, removed ones in `trash/`. */
  home: string
  /** The clock; the system's by default. */
  now?: () => number
}

export interface FileStore extends SessionStore {
  /** Opens a log by its path, wherever it is. */
  openFile(file: string): Promise<SessionLog>
  /** Where a session is, or undefined. */
  fileOf(id: SessionId): string | undefined
}

export function fileStore({ home, now = () => Date.now() }: FileStoreOptions): FileStore {
  const sessions = sessionsFolder(home)

  /** Contract: no folder means no sessions; a folder that cannot be read is a failure. */
  function folders(): string[] {
    return attemptRead(sessions, () => {
      try {
        return readdirSync(sessions, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => join(sessions, entry.name))
      } catch (error) {
        if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return []
        throw error
      }
    })
  }

  /** Imported here, because listing opens no log. */
  async function openLog(file: string): Promise<SessionLog> {
    const { FileLog } = await import("./log/log.ts")
    return new FileLog(file, now)
  }

  function fileOf(id: SessionId): string | undefined {
    if (parseSessionId(id) === undefined) return undefined
    return folders()
      .map((folder) => join(folder, id + LOG_SUFFIX))
      .find((file) => attemptRead(file, () => lstatSync(file, { throwIfNoEntry: false })) !== undefined)
  }

  return {
    home,

    async create(header: SessionRecord): Promise<SessionLog> {
      const file = logFile(home, header.cwd, header.id)
      attempt(file, () => createLog(file, header))
      try {
        return await openLog(file)
      } catch (error) {
        if (error instanceof RetconError && error.code === "io") orNothing(() => rmSync(file, { force: true }))
        throw error
      }
    },

    async open(id: SessionId): Promise<SessionLog> {
      const file = fileOf(id)
      if (file === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      return openLog(file)
    },

    openFile: openLog,

    fileOf,

    async list(options: ListQuery = {}): Promise<SessionSummary[]> {
      const places = options.cwd === undefined ? folders() : [join(sessions, directorySlug(options.cwd))]
      const found = await Promise.all(places.map((folder) => listFolder(folder, now)))
      return found.flat().sort(newestFirst)
    },

    async remove(id: SessionId): Promise<void> {
      const file = fileOf(id)
      if (file === undefined) throw new RetconError({ code: "not-found", what: "session", name: id })
      endConsent(home, id, file)
      const trash = join(trashFolder(home), basename(dirname(file)))
      attempt(file, () => {
        ensureFolder(trash)
        renameSync(file, join(trash, basename(file)))
      })
      // Derived from the log: what cannot be moved is removed later, by gc.
      orNothing(() => renameSync(indexFile(file), join(trash, basename(indexFile(file)))))
      orNothing(() => rmSync(tipsFile(file), { force: true }))
    },

    async discard(id: SessionId): Promise<void> {
      const file = fileOf(id)
      if (file === undefined) return
      attempt(file, () => rmSync(file, { force: true }))
      for (const derived of [indexFile(file), tipsFile(file)]) orNothing(() => rmSync(derived, { force: true }))
    },
  }
}

/** Contract: the file appears with its whole first line, or not at all. */
function createLog(file: string, header: SessionRecord): void {
  const folder = dirname(file)
  ensureFolder(folder)
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) throw new RetconError({ code: "exists", path: file })
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, `${printRecord(header)}\n`, { mode: 0o600, flush: true })
    renameSync(temporary, file)
    syncFolder(folder)
  } catch (error) {
    for (const made of [temporary, file]) orNothing(() => rmSync(made, { force: true }))
    throw error
  }
}
