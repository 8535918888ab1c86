// What is known about the session's sandbox, for the status line. Finding out starts a process, so nothing waits for it.
import type { CommandSandbox } from "../../agent/sandbox/port.ts"
import type { Sandbox } from "../../agent/sandbox/sandbox.ts"
import type { SandboxState } from "../../model/sandbox-state.ts"
import type { HostEvent } from "../../protocol/event.ts"

export interface SandboxWatch {
  /** What is known so far. Looks up the rest, and reports it as an event. */
  current(): SandboxState | undefined
  /** The same without looking anything up. */
  known(): SandboxState | undefined
  /** For commands: reports how they are confined before the first one runs. */
  sandbox: CommandSandbox | undefined
  /** Sends no more events: a closed session has no sandbox, which is not worth reporting. */
  close(): void
}

/** In milliseconds, so that the first frame is drawn before. */
const LATER = 50

export function watchSandbox(sandbox: Sandbox | undefined, emit: (event: HostEvent) => void): SandboxWatch {
  let known: SandboxState | undefined
  let waiting = false
  let closed = false

  const look = async () => {
    if (closed) return
    const now = await sandbox?.state()
    if (closed) return
    const isNews = JSON.stringify(now) !== JSON.stringify(known)
    known = now
    if (isNews && now !== undefined) emit({ type: "sandbox", ...now })
  }
  const later = () => {
    waiting = false
    void look()
  }
  const current = () => (sandbox?.applies() === true ? known : undefined)
  const confine = async () => {
    await look()
    return sandbox?.confine() ?? { how: "open" as const }
  }
  return {
    sandbox: sandbox && { confine, always: sandbox.always === true },
    known: current,
    current() {
      if (!waiting) setTimeout(later, LATER).unref()
      waiting = true
      return current()
    },
    close() {
      closed = true
    },
  }
}
