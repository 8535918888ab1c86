// The real clock and real randomness, for whoever passes no others.
import { randomFillSync } from "node:crypto"
import { makeIds } from "../model/id.ts"
import type { SessionParts } from "./desk.ts"

export function systemParts(): SessionParts {
  const ids = makeIds({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) })
  return { ids, now: isoClock(() => Date.now()) }
}

/** Many records may be made in one millisecond, and making the text takes longer than asking for the time. */
function isoClock(now: () => number): () => string {
  let last = Number.NaN
  let text = ""
  return () => {
    const time = now()
    if (time !== last) {
      last = time
      text = new Date(time).toISOString()
    }
    return text
  }
}
