// The files that sessions changed, remembered by session as long as its file stays the same.
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseEntryId } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import type { Job } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { type CallEdit, editsInLog } from "./edits-in-log.ts"
import { keyOf, type OnDisk, openOnDisk, sessionsOnDisk, stateOf } from "./on-disk.ts"
import { DigestPack } from "./pack.ts"

/** Increment it when the same session would have other edits. */
const VERSION = 1

export interface SessionEdits {
  session: SessionSummary
  /** Oldest first. */
  edits: readonly CallEdit[]
  /** Why they are not known, if so. */
  problem?: string
}

/**
 * Of the sessions that are wanted, in no particular order. A sub-agent's edits are in its own session. Contract: opens only sessions that
 * changed since they were last asked for.
 */
export async function sessionEdits(
  deps: AppDeps,
  wanted: (session: SessionSummary) => boolean,
  { tick, signal }: Job = {},
): Promise<SessionEdits[]> {
  const all = await sessionsOnDisk(deps)
  const sessions = all.filter(({ session }) => wanted(session))
  const pack = new DigestPack(join(deps.home, "cache", "edits.pack"), VERSION)
  const found: SessionEdits[] = []
  const fresh: OnDisk[] = []
  for (const each of sessions) {
    const edits = editsFrom(pack.get(keyOf(each), stateOf(each))?.head.edits)
    if (edits === undefined) fresh.push(each)
    else found.push({ session: each.session, edits })
  }
  try {
    for (const [done, each] of fresh.entries()) {
      await tick?.(done / fresh.length)
      signal?.throwIfAborted()
      const result = await readEdits(deps, each.session)
      if (result.problem === undefined)
        pack.set(keyOf(each), {
          state: stateOf(each),
          head: { edits: result.edits.map(rowOf) },
          rows: new Uint32Array(0),
        })
      found.push(result)
    }
  } finally {
    pack.save(sessions.length === all.length && found.length === sessions.length)
  }
  return found
}

async function readEdits(deps: AppDeps, session: SessionSummary): Promise<SessionEdits> {
  try {
    const log = await openOnDisk(deps, session)
    try {
      return { session, edits: (await editsInLog(log)).map(({ edit }) => edit) }
    } finally {
      await log.close()
    }
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { session, edits: [], problem: error.message }
  }
}

function rowOf({ at, path, call, entry, prompt, asked, added, removed }: CallEdit): Json[] {
  return [at, path, call, entry, prompt, asked, added, removed]
}

/** Undefined if these are not edits: the file may contain anything. */
function editsFrom(rows: Json | undefined): CallEdit[] | undefined {
  if (!Array.isArray(rows)) return undefined
  const edits: CallEdit[] = []
  for (const row of rows) {
    const [at, path, call, id, promptId, asked, added, removed] = Array.isArray(row) ? row : []
    const [entry, prompt] = [parseEntryId(id), parseEntryId(promptId)]
    if (typeof at !== "string" || typeof path !== "string" || typeof call !== "string" || entry === undefined)
      return undefined
    if (typeof asked !== "string" || typeof added !== "number" || typeof removed !== "number") return undefined
    edits.push({ at, path, call, entry, prompt: prompt ?? null, asked, added, removed })
  }
  return edits
}
