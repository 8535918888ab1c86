// The .env files of a folder, as far as they can be read safely.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { bytes } from "../../model/text/amounts.ts"
import { parseDotenv, type Variable } from "../../redact/value/dotenv.ts"
import { errno } from "../../store/file/disk/problems.ts"

export interface EnvFiles {
  variables: Variable[]
  /** Files that were not read, and why, in sentences. */
  problems: string[]
}

const NAME = /^\.env(?:rc$|\.|$)/
const LARGEST = 1_000_000

/** Contract: never throws, follows no link, never blocks on a pipe. */
export function readEnvFiles(folder: string): EnvFiles {
  const found: EnvFiles = { variables: [], problems: [] }
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    try {
      found.variables.push(...parseDotenv(readRegular(path)))
    } catch (error) {
      const why = error instanceof NotReadable ? error.message : `it cannot be read (${errno(error) ?? "unknown"})`
      found.problems.push(`The values in ${path} are not known, because ${why}.`)
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => NAME.test(name))
  } catch {
    return []
  }
}

class NotReadable extends Error {}

function readRegular(path: string): string {
  const fd = open(path)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new NotReadable("it is not a regular file")
    if (stat.size > LARGEST) throw new NotReadable(`it has more than ${bytes(LARGEST)}`)
    return readFileSync(fd, "utf8")
  } finally {
    closeSync(fd)
  }
}

function open(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (errno(error) === "ELOOP") throw new NotReadable("it is a link")
    throw error
  }
}
