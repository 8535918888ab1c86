// Rewinds to before a prompt: the conversation, the files, or both; first as a dry run.
import type { RemoteSession } from "../../src/client/remote-session.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import type { MoveRequest } from "../../src/protocol/host.ts"
import { reversePatch } from "../text/reverse-patch.ts"

export type Mode = "conversation" | "files" | "both"

export interface DryRun {
  result: MoveResult
  /** How the files differ from now to then, including files that would be kept. Empty if unknown. */
  patch: string
}

type OnConflict = MoveRequest["onConflict"]

export function rewind(session: RemoteSession, entry: EntryId, mode: Mode, request: MoveRequest): Promise<MoveResult> {
  if (mode === "files") return session.restore(entry, request)
  return session.goto(entry, { files: mode === "both" ? "restore" : "keep", ...request })
}

export async function dryRun(
  session: RemoteSession,
  entry: EntryId,
  mode: Mode,
  onConflict?: OnConflict,
): Promise<DryRun> {
  const conflict = onConflict === undefined ? {} : { onConflict }
  const result = await rewind(session, entry, mode, { dryRun: true, ...conflict })
  if (result.outcome === "refused" || mode === "conversation" || result.files.length === 0) return { result, patch: "" }
  const diff = await session.diff({ from: entry })
  return { result, patch: diff.outcome === "diff" ? reversePatch(diff.patch) : "" }
}
