// What a list shows of a session without an index: it is read from the log, and an index is created.
import type { Stats } from "node:fs"
import { directoryOf } from "../../../history/tree/directory.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { attempt } from "../disk/problems.ts"
import type { Listed } from "../index/catalogue.ts"
import { checkHeader, openLogFile } from "../log/header.ts"
import { IndexedLog } from "../log/indexed-log.ts"
import { isItsOwnFault } from "./stat-if-there.ts"

/** Undefined for what cannot be opened: one bad file must not make a list fail. `doctor` says what is wrong with it. */
export function listByLog(file: string, stat: Stats): Listed | undefined {
  try {
    return attempt(file, () => readLog(file, stat))
  } catch (error) {
    if (error instanceof RetconError && isItsOwnFault(error)) return undefined
    throw error
  }
}

function readLog(file: string, { size, mtimeMs }: Stats): Listed {
  const indexed = new IndexedLog(file, openLogFile(file).fd)
  try {
    indexed.load()
    const { header } = checkHeader(file, indexed.history)
    const { id, from } = header
    indexed.flush()
    const cwd = directoryOf({ header, history: indexed.history })
    return { ...indexed.summary, id, cwd, bytes: size, mtime: mtimeMs, from }
  } finally {
    indexed.close()
  }
}
