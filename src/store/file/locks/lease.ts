// The lease of a running turn: a small file beside the log that says which process has it.
import { setImmediate } from "node:timers/promises"
import { myself, same } from "../../../holder/holder.ts"
import type { Lease } from "../../port.ts"
import type { ClaimKind } from "./claim.ts"
import { livingHolder, takeClaim } from "./held-claim.ts"

/** Contract: `now` is the clock for heartbeats. */
export function fileLease(file: string, now: () => number, kind: ClaimKind = "file"): Lease {
  let letGo: (() => void) | undefined
  return {
    holder() {
      const holder = livingHolder(file, now)
      return holder !== undefined && letGo !== undefined && same(holder, myself()) ? undefined : holder
    },
    async take() {
      while (letGo === undefined) {
        const { release, holder } = takeClaim({ file, kind, now })
        if (holder !== undefined) return { ok: false, pid: holder.pid }
        letGo = release
        if (letGo === undefined) await setImmediate()
      }
      return { ok: true }
    },
    async release() {
      const release = letGo
      letGo = undefined
      release?.()
    },
  }
}
