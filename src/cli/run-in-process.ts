// One call of retcon in its process: the standard streams, signals and the exit code. The rest is in run-retcon.ts.
import { closeSync } from "node:fs"
import { isatty } from "node:tty"
import { errno, RetconError } from "../model/failure/retcon-error.ts"
import { startCli } from "./machine.ts"
import { EXIT, report } from "./port/errors.ts"
import { interrupted, readerGone, STOPPED } from "./process/interrupt.ts"
import { outputOn } from "./process/terminal.ts"
import { runCommand, wantsJson } from "./run-retcon.ts"

/** Contract: resolves with the exit code; ends the process itself only on a signal or when nobody reads its output. */
export function runInProcess(words: readonly string[], version: string): Promise<number> {
  const out = outputOn(() => process.stdout, process.env)
  // If nobody reads our errors, the exit code is all there is.
  const err = outputOn(() => process.stderr.on("error", () => (process.exitCode = EXIT.failed)), process.env)
  process.on("exit", leaveDeadTerminals())

  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // The reader of our output has seen enough (`retcon log | head`): that is not a failure.
    if (error.code === "EPIPE" || isHangUp(error, process.stdout)) {
      if (!readerGone()) process.exit(EXIT.done)
      return
    }
    const failure = new RetconError({ code: "not-printed", problem: error.message }, { cause: error })
    process.exit(report(failure, err, { json: wantsJson(words), debug: false, command: "" }))
  })
  process.on("SIGINT", () => {
    if (!interrupted()) process.exit(STOPPED.SIGINT)
  })

  return runCommand(words, {
    version,
    out,
    err,
    debug: process.env.RETCON_DEBUG !== undefined && process.env.RETCON_DEBUG !== "",
    start: async (globals) => startCli(globals, { out, err }, version),
  })
}

const STANDARD = [0, 1, 2]

/** A terminal whose window was closed: every call on it fails with EIO. */
export function isHangUp(error: unknown, stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && errno(error) === "EIO"
}

/**
 * Call it at the start, and its result when the process exits. On exit, Node resets each terminal that it started with,
 * and aborts (SIGABRT, SIGSEGV) on one that is gone. It ignores closed ones.
 */
function leaveDeadTerminals(): () => void {
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
