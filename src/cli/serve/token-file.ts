// The token of a running server, for the same person's programs: a file that nobody else may read.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fail, orNothing } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"

export interface Serving {
  url: string
  token: string
  pid: number
}

export interface TokenFile {
  path: string
  /** Contract: only the first call removes the file; one that appears later belongs to another server. */
  remove(): void
}

/** Named by the port, so that each of several servers has its own. */
export function writeTokenFile(home: string, port: number, serving: Serving): TokenFile {
  const folder = join(home, "serve")
  const path = join(folder, `${port}.json`)
  const temporary = temporaryBeside(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Replaced: an existing one may be readable by others.
    writeFileSync(temporary, `${JSON.stringify(serving)}\n`, { mode: 0o600, flag: "wx" })
    renameSync(temporary, path)
  } catch (error) {
    orNothing(() => rmSync(temporary, { force: true }))
    fail(error, path)
  }
  let removed = false
  return {
    path,
    remove() {
      if (!removed) orNothing(() => rmSync(path, { force: true }))
      removed = true
    },
  }
}
