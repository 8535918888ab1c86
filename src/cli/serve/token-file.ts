// The token of a running server, for the same person's programs: a file that nobody else may read.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fail } from "../../store/file/disk/problems.ts"

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
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Created again: an existing one may be readable by others.
    rmSync(path, { force: true })
    writeFileSync(path, `${JSON.stringify(serving)}\n`, { mode: 0o600, flag: "wx" })
  } catch (error) {
    fail(error, path)
  }
  let removed = false
  return {
    path,
    remove() {
      if (!removed) rmSync(path, { force: true })
      removed = true
    },
  }
}
