// Our sessions and those of other agents behind one store.
import { readHead } from "../formats/shared/read-head.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { parseRecord } from "../model/record/record-parse.ts"
import type { FileStore } from "../store/file/file-store.ts"
import { newestFirst } from "../store/log-summary.ts"
import type { ForeignStore } from "./foreign-store.ts"

export interface AnyStore extends FileStore {
  readonly foreign: ForeignStore
}

export function anyStore(own: FileStore, foreign: ForeignStore): AnyStore {
  return {
    ...own,
    foreign,

    async open(id) {
      return own.fileOf(id) === undefined ? foreign.open(id) : own.open(id)
    },

    async openFile(file) {
      if (isOurs(file)) return own.openFile(file)
      // If no format recognises the file, our own store reports the error.
      return (await foreign.openPath(file).catch(unlessAdvised)) ?? own.openFile(file)
    },

    unreadable: () => foreign.unreadable(),

    async list(options = {}) {
      const ours = await own.list(options)
      if (options.agents !== "all") return ours
      const theirs = await foreign.list(options.cwd === undefined ? {} : { cwd: options.cwd })
      return [...ours, ...theirs].sort(newestFirst)
    },
  }
}

/** Whether a file is one of retcon's own sessions, judging by its first line. */
export function isOurs(file: string): boolean {
  const head = readHead(file).toString("utf8")
  const end = head.indexOf("\n")
  const parsed = parseRecord(end === -1 ? head : head.slice(0, end))
  return parsed.ok && parsed.value.type === "session"
}

/** Keeps an error that comes with advice, because the format recognised the file; a failing disk; and one that nobody expected. */
function unlessAdvised(error: unknown): undefined {
  if (!(error instanceof RetconError) || error.code === "invalid" || error.code === "io") throw error
  return undefined
}
