// Which process of retcon's drives another agent's program in a session. One that waits for its next prompt knows nothing of what
// others do there, so it is ended for whoever asks.
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { leaseFile, programFile, wantedFile } from "../../store/file/disk/layout.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import { livingHolder, takeClaim } from "../../store/file/locks/held-claim.ts"
import { fileLease } from "../../store/file/locks/lease.ts"
import { watchFile } from "../../store/file/log/watch.ts"
import type { DrivenProgram, Lease } from "../../store/port.ts"

const LOOK_EVERY_MS = 10
/** By then a program that does not listen has been killed. */
const MOST_MS = 3000

/** `log`: our log of the session. `drivers`: who runs a turn. */
export function drivenProgram(
  log: string,
  makeFolder: () => void,
  now: () => number,
): DrivenProgram & { drivers: Lease } {
  const [program, wanted] = [programFile(log), wantedFile(log)]
  const drivers = fileLease(leaseFile(log), now)
  let [turns, held] = [0, 0]
  return {
    drivers,
    async take() {
      makeFolder()
      const taken = await drivers.take()
      if (taken.ok) turns++
      return taken
    },
    async release() {
      if (--turns === 0) await drivers.release()
    },
    hold(letGo) {
      makeFolder()
      const { release } = takeClaim({ file: program, kind: "link", now })
      // Another process of ours has one open too: it was asked, and did not let go in time.
      if (release === undefined) return () => undefined
      held++
      const unwatch = watchFile(wanted, () => {
        if (turns > 0 || !existsSync(wanted)) return
        orNothing(() => rmSync(wanted, { force: true }))
        letGo()
      })
      let over = false
      return () => {
        if (over) return
        over = true
        held--
        unwatch()
        release()
      }
    },
    async free() {
      const waits = () => held === 0 && drivers.holder() === undefined && livingHolder(program, now) !== undefined
      if (!waits()) return
      orNothing(() => writeFileSync(wanted, `${process.pid}\n`, { mode: 0o600 }))
      const until = performance.now() + MOST_MS
      while (waits() && performance.now() < until) await setTimeout(LOOK_EVERY_MS)
      orNothing(() => rmSync(wanted, { force: true }))
    },
  }
}
