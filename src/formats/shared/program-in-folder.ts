// Whether a program that leaves no trace of its work may be working on a session: by the processes that run, on Linux.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { quietly } from "./quietly.ts"

export interface ProgramAsked {
  /** How an argument names the program: its path, or the title that it gives itself. */
  named: RegExp
  /** The session's folder; empty when it is not known. */
  cwd: string
  /** The agent's own name of the session. */
  session: string
}

/** A program is named first, or behind what runs it and its options. */
const FIRST_ARGUMENTS = 4

/**
 * `unknown`: such a program runs in the session's folder, or was asked for the session; or the system does not tell. What one
 * folder's sessions have in common is all that can be seen. Undefined: nobody, as far as this user may see.
 */
export function programIn({ named, cwd, session }: ProgramAsked, proc = "/proc"): "unknown" | undefined {
  const processes = quietly(() => readdirSync(proc))?.filter((name) => /^\d+$/.test(name)) ?? []
  if (processes.length === 0) return "unknown"
  const folder = cwd === "" ? "" : (quietly(() => realpathSync(cwd)) ?? cwd)
  for (const name of processes) {
    if (Number(name) === process.pid) continue
    const line = quietly(() => readFileSync(`${proc}/${name}/cmdline`, "utf8")) ?? ""
    const words = line.split("\0")
    if (!words.slice(0, FIRST_ARGUMENTS).some((word) => named.test(word))) continue
    if (folder === "" || words.some((word) => word.includes(session))) return "unknown"
    // Another person's process does not tell its folder.
    const works = quietly(() => readlinkSync(`${proc}/${name}/cwd`))
    if (works === undefined || works === folder) return "unknown"
  }
  return undefined
}
