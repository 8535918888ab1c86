// Processes that a command started, including those that left its process group: each inherits a variable that is
// unique to the command. Linux only; elsewhere there is only the group.
import { readdirSync, readFileSync } from "node:fs"
import { errno } from "../../model/failure/retcon-error.ts"

/** The variable. A process that was started without its environment is not found. */
export const MARK = "RETCON_COMMAND"

/** Contract: only processes younger than `oldest`, the command's first one, which is excluded. */
export function marked(mark: string, oldest: number): number[] {
  const text = `${MARK}=${mark}`
  return youngerThan(oldest).filter((pid) => contentOf(pid, "environ").split("\0").includes(text))
}

/** The members of a process group, except its leader. */
export function othersOfGroup(group: number): number[] {
  return youngerThan(group).filter((pid) => {
    const stat = contentOf(pid, "stat")
    // After the name, which may contain anything: state, parent, group.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group
  })
}

/** Numbers are assigned in order and wrap around: the kernel says which one it assigned last. */
function youngerThan(oldest: number): number[] {
  const last = Number(read("/proc/loadavg").trim().split(" ").at(-1))
  const isYounger = (pid: number) => (last >= oldest ? pid > oldest && pid <= last : pid > oldest || pid <= last)
  return processes().filter(isYounger)
}

function processes(): number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
  } catch {
    return []
  }
}

function contentOf(pid: number, file: "environ" | "stat"): string {
  return read(`/proc/${pid}/${file}`)
}

/** Empty if it has ended, or if we may not read it. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

/** Returns whether there was anything to signal. Signal 0 only tests that. */
export function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  return signal(-pid, name)
}

export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (errno(error) === "ESRCH" || errno(error) === "EPERM") return false
    throw error
  }
}
