// What is known of the session's sandbox, for the status line. Finding out takes a process, so it never holds anybody up.
import type { CommandSandbox } from "../agent/sandbox/port.ts"
import type { Sandbox } from "../agent/sandbox/sandbox.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { HostEvent } from "../protocol/event.ts"

export interface SandboxWatch {
  /** As far as it is known; asks for what is not, and says so by an event. */
  current(): SandboxState | undefined
  /** For commands: before the first one runs, it is said how. */
  sandbox: CommandSandbox | undefined
  /** Nothing more is said: a session that is closed has no sandbox, which is no news. */
  close(): void
}

/** Milliseconds: the first frame is drawn before. */
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
