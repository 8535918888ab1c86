// One mover at a time: a claim that is held for a moment.
import { setTimeout } from "node:timers/promises"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { SessionId } from "../../../model/id.ts"
import { attempt } from "../disk/problems.ts"
import { beat, type ClaimKind, claim, holderOf, letGo, removeDead } from "./claim.ts"
import { HEARTBEAT_MS, isAlive } from "./holder.ts"

const WAIT_MS = 4
/** A move with very many files may take a while; one that takes longer is said, with its process. */
const ATTEMPTS = 2_500

export interface MoveLockOptions {
  /** Where the claim is. */
  file: string
  session: SessionId
  now: () => number
  kind?: ClaimKind
}

export async function alone<Value>(options: MoveLockOptions, work: () => Promise<Value>): Promise<Value> {
  const { file, session, now, kind = "link" } = options
  for (let attempts = 1; !attempt(file, () => claim(file, kind)); attempts++) {
    const holder = attempt(file, () => holderOf(file))
    if (holder !== undefined && !isAlive(holder, file, now())) attempt(file, () => removeDead(file, kind, now()))
    else if (attempts === ATTEMPTS) throw new RetconError({ code: "session-busy", session, pid: holder?.pid ?? 0 })
    else await setTimeout(WAIT_MS)
  }
  const beating = setInterval(() => beat(file, now()), HEARTBEAT_MS)
  beating.unref()
  try {
    return await work()
  } finally {
    clearInterval(beating)
    attempt(file, () => letGo(file))
  }
}
