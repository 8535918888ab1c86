// Processes that a command started, also those that left its process group: every one inherits a variable that no other
// command has. Linux only; elsewhere there is the group alone.
import { readdirSync, readFileSync } from "node:fs"
import { hasCode } from "../port/work-root.ts"

/** The variable. A process that is started without its environment is not found. */
export const MARK = "RETCON_COMMAND"

/** Contract: only processes that are younger than `oldest`, the command's first one, which is left out. */
export function marked(mark: string, oldest: number): number[] {
  const text = `${MARK}=${mark}`
  return youngerThan(oldest).filter((pid) => contentOf(pid, "environ").split("\0").includes(text))
}

/** The members of a process group but for its leader. */
export function othersOfGroup(group: number): number[] {
  return youngerThan(group).filter((pid) => {
    const stat = contentOf(pid, "stat")
    // After the name, which may hold anything: state, parent, group.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]) === group
  })
}

/** Numbers are given out in order and start over at the end: the kernel says which one it gave last. */
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

/** Empty for what has ended, or is not ours to look at. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1")
  } catch {
    return ""
  }
}

/** Whether there was anything to signal. Signal 0 only asks. */
export function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  return signal(-pid, name)
}

export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if (hasCode(error, "ESRCH") || hasCode(error, "EPERM")) return false
    throw error
  }
}
