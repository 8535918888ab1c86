// A claim that is taken, kept alive and released. The lease of a turn and the lock of a move both use it.
import { keepBeating } from "../../../holder/heartbeat.ts"
import { type Holder, isAlive } from "../../../holder/holder.ts"
import { attempt, orNothing } from "../disk/problems.ts"
import { type ClaimKind, claim, holderOf, letGo, removeDead } from "./claim.ts"

export interface ClaimOptions {
  file: string
  kind: ClaimKind
  /** The clock for heartbeats. */
  now: () => number
}

/**
 * `release` gives it up. `holder`: a living process that has it. Neither: its holder gave it up this moment, so try again.
 */
export type TakenClaim = { release: () => void; holder?: never } | { release?: never; holder?: Holder }

export function takeClaim({ file, kind, now }: ClaimOptions): TakenClaim {
  if (leaving.has(file)) attempt(file, () => leave(file))
  if (attempt(file, () => claim(file, kind))) return { release: keepAlive(file, now) }
  const holder = livingHolder(file, now)
  if (holder !== undefined) return { holder }
  attempt(file, () => removeDead(file, kind, now()))
  return attempt(file, () => claim(file, kind)) ? { release: keepAlive(file, now) } : {}
}

/** Who has the claim; undefined if nobody has it, or its holder died. */
export function livingHolder(file: string, now: () => number): Holder | undefined {
  if (leaving.has(file)) return undefined
  const holder = attempt(file, () => holderOf(file))
  return holder !== undefined && isAlive(holder, file, now()) ? holder : undefined
}

/** Claims that this process has given up, but could not remove. Nobody else takes them while it runs, so it goes on trying. */
const leaving = new Set<string>()
const AGAIN_MS = 100

/** Contract: releasing never fails, because what was done under the claim is done. */
function keepAlive(file: string, now: () => number): () => void {
  const stop = keepBeating(file, now)
  return () => {
    stop()
    leaving.add(file)
    tryToLeave(file)
    if (leaving.has(file)) tryToLeave(file)
    if (!leaving.has(file)) return
    const trying = setInterval(() => {
      if (leaving.has(file)) tryToLeave(file)
      if (!leaving.has(file)) clearInterval(trying)
    }, AGAIN_MS)
    trying.unref()
  }
}

function tryToLeave(file: string): void {
  orNothing(() => leave(file))
}

function leave(file: string): void {
  letGo(file)
  leaving.delete(file)
}
