// Shows on a terminal how far a long command is. Short ones show nothing.
import { setImmediate } from "node:timers/promises"
import { clip } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"

const QUIET_MS = 500
const EVERY_MS = 100

export interface Progress {
  /** Contract: gives Ctrl-C a chance; draws at most ten times a second. */
  tick: (share: number) => Promise<void>
  done: () => void
}

export function progress(cli: Pick<Cli, "err" | "now">, what: string): Progress {
  const started = cli.now()
  let drawn = 0
  return {
    async tick(share) {
      await setImmediate()
      const now = cli.now()
      if (!cli.err.isTerminal || now - started < QUIET_MS || now - drawn < EVERY_MS) return
      drawn = now
      cli.err.write(`\r${clip(`${what}… ${Math.floor(Math.min(1, share) * 100)}%`, cli.err.width - 1)}\x1b[K`)
    },
    done() {
      if (drawn > 0) cli.err.write("\r\x1b[K")
    },
  }
}
