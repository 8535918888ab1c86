// The lease of a running turn: a small file beside the log that says which process has it.
import { setImmediate } from "node:timers/promises"
import type { Lease } from "../../port.ts"
import { attempt } from "../disk/problems.ts"
import { beat, type ClaimKind, claim, holderOf, letGo, removeDead } from "./claim.ts"
import { HEARTBEAT_MS, type Holder, isAlive, myself, same } from "./holder.ts"

/** Contract: `now` is the clock that heartbeats are measured with. */
export function fileLease(file: string, now: () => number, kind: ClaimKind = "file"): Lease {
  let beating: NodeJS.Timeout | undefined
  let mine = false

  function other(): Holder | undefined {
    const holder = attempt(file, () => holderOf(file))
    if (holder === undefined || (mine && same(holder, myself()))) return undefined
    return isAlive(holder, file, now()) ? holder : undefined
  }

  function start(): { ok: true } {
    mine = true
    beating = setInterval(() => beat(file, now()), HEARTBEAT_MS)
    beating.unref()
    return { ok: true }
  }

  return {
    holder: other,
    async take() {
      if (mine) return { ok: true }
      for (;;) {
        if (attempt(file, () => claim(file, kind))) return start()
        const holder = other()
        if (holder !== undefined) return { ok: false, pid: holder.pid }
        attempt(file, () => removeDead(file, kind, now()))
        await setImmediate()
      }
    },
    async release() {
      if (!mine) return
      mine = false
      clearInterval(beating)
      attempt(file, () => letGo(file))
    },
  }
}
