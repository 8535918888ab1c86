// Rewinds to before a prompt: the conversation, the files, or both; first as a dry run.
import type { RemoteSession } from "../../src/client/remote-session.ts"
import type { EntryId } from "../../src/model/id.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import type { MoveRequest } from "../../src/protocol/host.ts"

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

/** Reverses a unified diff: the server returns what changed since then, but a restore goes from now to then. */
export function reversePatch(patch: string): string {
  const lines: string[] = []
  let [added, removed]: [string[], string[]] = [[], []]
  let inHunk = false
  const flush = () => {
    lines.push(...removed, ...added)
    added = []
    removed = []
  }
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) inHunk = false
    if (line.startsWith("@@")) inHunk = true
    if (inHunk && line.startsWith("+")) removed.push(`-${line.slice(1)}`)
    else if (inHunk && line.startsWith("-")) added.push(`+${line.slice(1)}`)
    else if (inHunk && line.startsWith("\\")) (added.length > 0 && removed.length === 0 ? added : removed).push(line)
    else {
      flush()
      lines.push(inHunk ? hunk(line) : head(line))
    }
  }
  flush()
  return lines.join("\n")
}

function hunk(line: string): string {
  return line.replace(/^@@ -(\S+) \+(\S+) @@/, "@@ -$2 +$1 @@")
}

function head(line: string): string {
  if (line.startsWith("--- ")) return `+++ ${line.slice(4).replace(/^a\//, "b/")}`
  if (line.startsWith("+++ ")) return `--- ${line.slice(4).replace(/^b\//, "a/")}`
  return line
}
