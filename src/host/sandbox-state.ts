// What is known of the session's sandbox, for the status line. Finding out starts a process, so nobody waits for it.
import type { CommandSandbox } from "../agent/sandbox/port.ts"
import type { Sandbox } from "../agent/sandbox/sandbox.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { HostEvent } from "../protocol/event.ts"

export interface SandboxWatch {
  /** As far as it is known; if it is not, finds out and emits an event. */
  current(): SandboxState | undefined
  /** For commands: before the first one runs, an event says how. */
  sandbox: CommandSandbox | undefined
  /** No more events: that a closed session has no sandbox is not news. */
  close(): void
}

/** Milliseconds: after the first frame is drawn. */
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
  const confine = async () => {
    await look()
    return sandbox?.confine() ?? { how: "open" as const }
  }
  return {
    sandbox: sandbox && { confine },
    current() {
      if (!waiting) setTimeout(later, LATER).unref()
      waiting = true
      return sandbox?.applies() === true ? known : undefined
    },
    close() {
      closed = true
    },
  }
}
