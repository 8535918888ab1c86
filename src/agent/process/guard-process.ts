// A tiny process beside a command, with a pipe to this one. If the pipe closes unexpectedly, this process was killed,
// and the guard ends the command, which has its own process group, and whatever has left that group.
import { spawn } from "node:child_process"
import type { Socket } from "node:net"
import { MARK } from "./strays.ts"

/** A line means that all went well; end of input without one means that this process is gone. */
const SCRIPT = `read -r _ && exit
strays() {
  for file in $(grep -lsF "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s "$2" "\${pid%/environ}"
  done
}
kill -s TERM -- "-$0"
strays "$1" TERM
sleep 1
kill -s KILL -- "-$0"
strays "$1" KILL`

export interface Guard {
  /** Contract: called once nothing of the group is running, and before its number can be reused. */
  over(): void
}

/** Contract: never throws, and keeps no process alive. If no shell can be started, the command runs unguarded. */
export function guardGroup(group: number, mark: string): Guard {
  const guard = spawn("/bin/sh", ["-c", SCRIPT, String(group), `${MARK}=${mark}`], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  const unguarded = () => undefined
  guard.on("error", unguarded)
  guard.unref()
  // Missing if no more files can be opened.
  const stdin = guard.stdin as Socket | undefined
  stdin?.on("error", unguarded)
  stdin?.unref()
  return { over: () => void stdin?.end("\n") }
}
