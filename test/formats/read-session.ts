// A session of another agent as a test reads it: all rows from its files, nothing of ours beside them.
import { readdirSync, readFileSync, statSync } from "node:fs"
import type { ForeignHistory } from "../../src/foreign/scan/foreign-history.ts"
import { HookQueue } from "../../src/foreign/scan/hook-queue.ts"
import { ScannedSession } from "../../src/foreign/scan/scanned-session.ts"
import type { Format, Opened, SessionPlace } from "../../src/formats/port.ts"

export const NOTHING_OURS = {
  operation: () => undefined,
  takeAfter: () => [],
  record: () => undefined,
  takeFirst: () => [],
  takeReached: () => [],
  takeRest: () => [],
  skip: () => true,
  rewind: () => undefined,
  hooks: new HookQueue(),
}

export interface ReadSession {
  opened: Opened
  session: ScannedSession
  history: ForeignHistory
}

/** What the format makes of a path, found by its content as a person's `-s PATH` is. */
export function placeOf(format: Format, path: string): SessionPlace {
  const folder = statSync(path).isDirectory()
  const head = folder ? undefined : readFileSync(path).subarray(0, 64 * 1024)
  const place = format.detect({ path, head, names: folder ? readdirSync(path) : undefined })
  if (place === undefined) throw new Error(`${format.agent} does not know ${path}`)
  return place
}

export async function readSession(format: Format, path: string): Promise<ReadSession> {
  const opened = await format.open(placeOf(format, path))
  const session = new ScannedSession(opened, NOTHING_OURS)
  session.load()
  return { opened, session, history: session.history }
}
