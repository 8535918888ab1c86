// One move at a time: a claim that is held for a moment.
import { setTimeout } from "node:timers/promises"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import type { ClaimKind } from "./claim.ts"
import { takeClaim } from "./held-claim.ts"

const WAIT_MS = 4
/** A move with very many files may take a while. If it takes longer than this, the failure names its process. */
const ATTEMPTS = 2_500

export interface MoveLockOptions {
  file: string
  session: SessionId
  now: () => number
  kind?: ClaimKind
}

/** Runs `work` while holding the lock. Contract: throws `session-busy` if another process holds it for too long. */
export async function withMoveLock<Value>(options: MoveLockOptions, work: () => Promise<Value>): Promise<Value> {
  const { file, session, now, kind = "link" } = options
  for (let attempts = 1; ; attempts++) {
    const { release, holder } = takeClaim({ file, kind, now })
    if (release !== undefined) return work().finally(release)
    if (attempts === ATTEMPTS) throw new RetconError({ code: "session-busy", session, pid: holder?.pid ?? 0 })
    await setTimeout(WAIT_MS)
  }
}
