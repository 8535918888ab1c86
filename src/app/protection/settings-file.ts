// Another program's settings file: read as it is, and replaced as a whole, keeping its permissions and following links.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, resolve } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { attempt, attemptRead, errno, orNothing } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"

/** Its bytes; undefined if there is no file. Contract: throws for anything but a regular file. */
export function readSettingsFile(file: string): Buffer | undefined {
  return attemptRead(file, () => {
    try {
      if (!statSync(file).isFile())
        throw new RetconError({ code: "io", path: file, problem: "it is not a regular file" })
      return readFileSync(file)
    } catch (error) {
      if (errno(error) === "ENOENT") return undefined
      throw error
    }
  })
}

/** Contract: all or nothing. A link stays a link: its target is replaced. */
export function writeSettingsFile(file: string, bytes: Uint8Array): void {
  const real = behindLinks(file)
  const temporary = temporaryBeside(real)
  attempt(real, () => {
    mkdirSync(dirname(real), { recursive: true })
    const mode = statSync(real, { throwIfNoEntry: false })?.mode
    try {
      writeFileSync(temporary, bytes, { mode: 0o600, flush: true })
      chmodSync(temporary, mode === undefined ? 0o600 : mode & 0o7777)
      renameSync(temporary, real)
    } catch (error) {
      orNothing(() => rmSync(temporary, { force: true }))
      throw error
    }
  })
}

export function removeSettingsFile(file: string): void {
  attempt(file, () => rmSync(behindLinks(file), { force: true }))
}

const MOST_LINKS = 40

/** Works for a link to a missing file, too. */
function behindLinks(file: string): string {
  let path = file
  for (let links = 0; links < MOST_LINKS; links++) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
    path = resolve(dirname(path), readlinkSync(path))
  }
  throw new RetconError({ code: "io", path: file, problem: "it is a link that leads to itself" })
}
