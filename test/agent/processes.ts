// Which processes run, as the machine sees it.
import { execFileSync } from "node:child_process"

/** The commands of a process group that run; one that is dead and not yet collected does not. */
export function runningIn(group: number): string[] {
  const table = execFileSync("ps", ["-eo", "pgid=,stat=,args="], { encoding: "utf8" })
  return table.split("\n").flatMap((line) => {
    const [, pgid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return Number(pgid) === group && state?.startsWith("Z") === false ? [command as string] : []
  })
}

/** What runs on this machine with these words in its command line. */
export function runningWith(words: string): string[] {
  const table = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" })
  return table.split("\n").filter((line) => line.endsWith(words) && !line.startsWith("Z"))
}

/** A command that no other run of the tests on this machine has. */
export function ownSleep(seconds: number): string {
  return `sleep ${seconds}.${process.pid}`
}
