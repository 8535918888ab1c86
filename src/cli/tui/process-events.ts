// Signals of the process, for the screen: end, suspend, continue. Whatever happens, the terminal is restored.
import type { Terminal } from "../../tui/terminal/port.ts"
import { onStop } from "../process/interrupt.ts"

const LONG = 1_000_000

export interface ProcessEvents {
  suspend(): void
  onEnd(end: () => void): () => void
  onContinue(go: () => void): () => void
  close(): void
}

export function processEvents(own: NodeJS.Process, terminal: Terminal): ProcessEvents {
  const giveBack = () => terminal.stop()
  const crash = (error: unknown) => {
    giveBack()
    own.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    own.exit(1)
  }
  own.on("exit", giveBack)
  own.on("uncaughtException", crash)
  return {
    suspend() {
      // Nothing listens to the terminal now: without a timer nothing would be left to do, and the process would exit.
      const alive = setInterval(() => undefined, LONG)
      own.once("SIGCONT", () => clearInterval(alive))
      own.kill(own.pid, "SIGTSTP")
    },
    onEnd: (end) => onStop(() => end()),
    onContinue(go) {
      own.on("SIGCONT", go)
      return () => own.off("SIGCONT", go)
    },
    close() {
      own.off("exit", giveBack)
      own.off("uncaughtException", crash)
    },
  }
}
