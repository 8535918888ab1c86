// A move with the files: first shows what it would do. If both sides changed the same lines, the person chooses what to
// keep; if files may be theirs, which ones to change.
import { commandsBehind } from "../../../history/files/commands-behind.ts"
import { resolveEntry } from "../../../history/plan/resolve.ts"
import { NONE } from "../../../history/tree/tree.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import type { MoveRequest, SessionContents } from "../../../protocol/host.ts"
import type { OverlayHost } from "../../screen/overlay-host.ts"
import { conflictsOf, openConflicts } from "./conflicts.ts"
import type { FilesChosen } from "./files-chosen.ts"
import { type FilesQuestion, openFiles } from "./pick-files.ts"
import type { AcceptedMove } from "./rewind-ways.ts"

/** When to show the files: `uncertain`: only if one of them may be the person's. */
export type When = "uncertain" | "always"

type Ask = (more: MoveRequest) => Promise<MoveResult>

export interface FilesAsked {
  when?: When
  title?: string
  /** The entry whose files are restored, if the plan does not name it. */
  since?: string
}

/** What the person chose about a plan; undefined if they cancel. */
export async function chooseFiles(
  host: OverlayHost,
  session: SessionContents,
  plan: MoveResult,
  ask: Ask,
  asked: FilesAsked = {},
): Promise<FilesChosen | undefined> {
  const conflicts = conflictsOf(plan)
  const onConflict = conflicts.length === 0 ? undefined : await openConflicts(host, conflicts)
  if (conflicts.length > 0 && onConflict === undefined) return undefined
  const settled = onConflict === undefined ? {} : { onConflict }
  const planned = onConflict === undefined ? plan : await ask({ ...settled, dryRun: true })
  if (planned.outcome === "refused" || !isShown(planned, asked.when ?? "uncertain")) return settled
  const keep = await openFiles(host, filesQuestion(session, planned, asked))
  if (keep === undefined) return undefined
  return keep.length === 0 ? settled : { ...settled, keep }
}

/** The move, once everything is chosen; undefined if the person cancels. */
export async function settledMove(
  host: OverlayHost,
  session: SessionContents,
  ask: Ask,
  asked: FilesAsked = {},
): Promise<MoveResult | undefined> {
  const plan = await ask({ dryRun: true })
  if (plan.outcome === "refused" && conflictsOf(plan).length === 0) return plan
  const chosen = await chooseFiles(host, session, plan, ask, asked)
  if (chosen !== undefined) return ask(chosen)
  // If a conflict was not resolved, say why.
  return plan.outcome === "refused" ? plan : undefined
}

function isShown(plan: AcceptedMove, when: When): boolean {
  if (plan.filesMode === "keep" && plan.kind !== "restore") return false
  return (when === "always" && plan.files.length > 0) || plan.uncertain.length > 0
}

function filesQuestion(session: SessionContents, plan: AcceptedMove, { title, since }: FilesAsked): FilesQuestion {
  const { history, head } = session
  const from = since ?? plan.prompt?.id ?? plan.head
  const found = from === null ? undefined : resolveEntry(history, head, from)
  const row = found?.ok === true ? found.row : NONE
  const look = from === null ? {} : { look: (path: string) => session.diff({ from, paths: [path] }) }
  return {
    title: title ?? "These files change too",
    plan,
    does: plan.kind === "restore" ? "restore" : "go",
    commands: plan.uncertain.length === 0 ? new Map() : commandsBehind(history, row),
    ...look,
  }
}
