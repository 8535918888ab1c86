// What a list would show of a session: from its first and last bytes, and small files beside it.
import { readFileSync } from "node:fs"
import type { Format, Glance, SessionPlace } from "../../src/formats/port.ts"

export function glanceAt(format: Format, place: SessionPlace): Glance | undefined {
  const bytes = readFileSync(place.main)
  return format.glance(place, { head: bytes.subarray(0, 4096), tail: bytes.subarray(-4096), read })
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path).subarray(0, 64 * 1024)
  } catch {
    return undefined
  }
}
