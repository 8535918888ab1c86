// A terminal whose window was closed: every call on it fails with EIO.
import { closeSync } from "node:fs"
import { isatty } from "node:tty"
import { errno } from "../../model/failure/errno.ts"

const STANDARD = [0, 1, 2]

export function isHangUp(error: unknown, stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && errno(error) === "EIO"
}

/**
 * Call it at the start, and its result when the process exits. On exit, Node resets each terminal that it started with,
 * and aborts (SIGABRT, SIGSEGV) on one that is gone. It ignores closed ones.
 */
export function leaveDeadTerminals(): () => void {
  const terminals = STANDARD.filter((fd) => isatty(fd))
  return () => {
    for (const fd of terminals) if (!isatty(fd)) closeQuietly(fd)
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd)
  } catch (error) {
    // It is already closed.
    if (!(error instanceof Error && "code" in error && error.code === "EBADF")) throw error
  }
}
