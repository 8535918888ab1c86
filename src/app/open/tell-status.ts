// Sends the status when it has changed, after events that may have changed it.
import type { HostEvent } from "../../protocol/event.ts"
import type { Status } from "../../protocol/shapes.ts"

const CHANGES: ReadonlySet<HostEvent["type"]> = new Set([
  "turn-start",
  "step-end",
  "approval-start",
  "approval-end",
  "moved",
  "changed",
  "compaction-end",
  "backtracked",
  "sandbox",
  "rows-anew",
  "configured",
  "turn-end",
])

export interface StatusWatch {
  after(event: HostEvent): void
  /** Call when something else may have changed it. */
  look(): void
  close(): void
}

/** `status`: undefined while nobody listens. Contract: sent once for everything that happens at the same moment. */
export function tellStatus(status: () => Status | undefined, tell: (status: Status) => void): StatusWatch {
  let last = ""
  let looking = false
  let closed = false
  const look = () => {
    if (looking) return
    looking = true
    queueMicrotask(() => {
      looking = false
      const now = closed ? undefined : status()
      const text = JSON.stringify(now ?? null)
      if (now === undefined || text === last) return
      last = text
      tell(now)
    })
  }
  return {
    after(event) {
      if (event.task === undefined && CHANGES.has(event.type)) look()
    },
    look,
    close() {
      closed = true
    },
  }
}
