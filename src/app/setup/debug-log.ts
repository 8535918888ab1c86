// RETCON_DEBUG=FILE: what was sent and why a turn went as it did, one JSON object per line. Contains no key.
import { chmodSync, openSync, writeSync } from "node:fs"
import type { Trace } from "../../model/trace.ts"

/** Shorter ones would mask ordinary words. */
const SHORTEST_SECRET = 8

/** Contract: never throws once it is open. Only its owner can read the file. */
export function debugLog(file: string, now: () => number, secrets: readonly string[]): Trace {
  const descriptor = openSync(file, "a", 0o600)
  chmodSync(file, 0o600)
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  let broken = false
  return (what) => {
    const line = JSON.stringify({ at: new Date(now()).toISOString(), ...what })
    const masked = hidden.reduce((text, secret) => text.replaceAll(secret, "[hidden]"), line)
    // A full disk ends the log, not the turn.
    if (!broken) broken = !written(descriptor, `${masked}\n`)
  }
}

function written(descriptor: number, text: string): boolean {
  try {
    writeSync(descriptor, text)
    return true
  } catch {
    return false
  }
}
