// A claim that is taken, kept alive and released. The lease of a turn and the lock of a move both use it.
import { keepBeating } from "../../../holder/heartbeat.ts"
import { type Holder, isAlive } from "../../../holder/holder.ts"
import { attempt } from "../disk/problems.ts"
import { type ClaimKind, claim, holderOf, letGo, removeDead } from "./claim.ts"

export interface ClaimOptions {
  file: string
  kind: ClaimKind
  /** The clock for heartbeats. */
  now: () => number
}

/**
 * `release` gives it up. `holder`: a living process that has it. Neither: its holder died or gave it up, so try again.
 */
export type TakenClaim = { release: () => void; holder?: never } | { release?: never; holder?: Holder }

export function takeClaim({ file, kind, now }: ClaimOptions): TakenClaim {
  if (attempt(file, () => claim(file, kind))) return { release: keepAlive(file, now) }
  const holder = livingHolder(file, now)
  if (holder !== undefined) return { holder }
  attempt(file, () => removeDead(file, kind, now()))
  return {}
}

/** Who has the claim; undefined if nobody has it, or its holder died. */
export function livingHolder(file: string, now: () => number): Holder | undefined {
  const holder = attempt(file, () => holderOf(file))
  return holder !== undefined && isAlive(holder, file, now()) ? holder : undefined
}

function keepAlive(file: string, now: () => number): () => void {
  const stop = keepBeating(file, now)
  return () => {
    stop()
    attempt(file, () => letGo(file))
  }
}
