// Whether a program that leaves no trace may be working in a session, judging by the running processes (Linux only).
import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { orNothing } from "../../model/failure/retcon-error.ts"

export interface ProgramAsked {
  /** Matches the argument that names the program: its path, or its process title. */
  named: RegExp
  /** The session's folder; empty if unknown. */
  cwd: string
  /** The agent's own name for the session. */
  session: string
}

/** The program is named first, or after its interpreter and the interpreter's options. */
const FIRST_ARGUMENTS = 4

/**
 * `unknown`: such a program runs in the session's folder or was started for the session, or the system does not say.
 * The folder is all there is to go by. Undefined if there is no such program that this user may see.
 */
export function programIn({ named, cwd, session }: ProgramAsked, proc = "/proc"): "unknown" | undefined {
  const processes = orNothing(() => readdirSync(proc))?.filter((name) => /^\d+$/.test(name)) ?? []
  if (processes.length === 0) return "unknown"
  const folder = cwd === "" ? "" : (orNothing(() => realpathSync(cwd)) ?? cwd)
  for (const name of processes) {
    if (Number(name) === process.pid) continue
    const line = orNothing(() => readFileSync(`${proc}/${name}/cmdline`, "utf8")) ?? ""
    const words = line.split("\0")
    if (!words.slice(0, FIRST_ARGUMENTS).some((word) => named.test(word))) continue
    if (folder === "" || words.some((word) => word.includes(session))) return "unknown"
    // The folder of another user's process is not visible.
    const works = orNothing(() => readlinkSync(`${proc}/${name}/cwd`))
    if (works === undefined || works === folder) return "unknown"
  }
  return undefined
}
