// The real clock and real randomness, for whoever passes no others.
import { randomFillSync } from "node:crypto"
import { makeIds } from "../model/id.ts"
import type { SessionParts } from "./desk.ts"

export function systemParts(): SessionParts {
  const ids = makeIds({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) })
  return { ids, now: () => new Date().toISOString() }
}
