// One mover at a time: a claim that is held for a moment, and waited for.
import { setTimeout } from "node:timers/promises"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import type { Lease } from "../port.ts"

const WAIT_MS = 4
/** A move with very many files may take a while; one that takes longer is said, with its process. */
const ATTEMPTS = 2_500

export async function aloneOn<Value>(claim: Lease, session: SessionId, work: () => Promise<Value>): Promise<Value> {
  let taken = await claim.take()
  for (let attempt = 1; !taken.ok; attempt++) {
    if (attempt === ATTEMPTS) throw new RetconError({ code: "session-busy", session, pid: taken.pid })
    await setTimeout(WAIT_MS)
    taken = await claim.take()
  }
  try {
    return await work()
  } finally {
    await claim.release()
  }
}
