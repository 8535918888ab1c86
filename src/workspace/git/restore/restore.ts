// Carries out a plan, all or nothing: safety snapshot durable, journal durable, files staged, then put into place.
import { basename, dirname } from "node:path"
import { keepBeating } from "../../../holder/heartbeat.ts"
import { myself } from "../../../holder/holder.ts"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import type { Kept } from "../../../model/move/file-outcomes.ts"
import { same } from "../../plan/take-back.ts"
import { type FileState, nameOf, parentOf, type Restored, type RestorePlan } from "../../port.ts"
import { type Folders, openFolders } from "../disk/folders.ts"
import { folded, speltTwice } from "../disk/spelling.ts"
import { isStaged } from "../disk/stage-name.ts"
import { openView, type SnapshotView, stateAt } from "../objects/snapshot-view.ts"
import { checkWay, stateIn } from "../snapshot/disk-state.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { takeSnapshot } from "../snapshot/take-snapshot.ts"
import { apply, isAsExpected, stage } from "./apply.ts"
import { type Journal, journalFile, removeJournal, running, writeJournal } from "./journal.ts"
import { putBack } from "./put-back.ts"
import { restoresAround, runningAround, type Site } from "./restores-around.ts"
import { ChangedMeanwhile, checkAside } from "./slots.ts"
import { type RestoreWork, reach, stagingFolder, syncFolders } from "./staged.ts"
import { tidy } from "./tidy.ts"

type Record = (restored: Restored) => Promise<void>
type Wanted = { id: string; session: string; record: Record | undefined }

export async function restorePlan(workspace: OpenWorkspace, plan: RestorePlan, wanted: Wanted): Promise<Restored> {
  if (plan.conflicts.length > 0) return { outcome: "refused", because: "conflicts", conflicts: plan.conflicts }
  refuseWhileOpen(workspace)
  if (plan.actions.length === 0) return nothingToDo(workspace, plan, wanted)
  openView(workspace.objects, workspace.root, plan.now)
  const turned = new Set(plan.actions.filter(({ to }) => to?.kind === "folder").map(({ path }) => path))
  for (const { path, to } of plan.actions) {
    checkWay(workspace.root, path, turned)
    if (to !== undefined && to.kind !== "folder") workspace.objects.read(to.oid)
  }
  const folders = openFolders(workspace.root, speltTwice(plan.actions.map(({ path }) => path)))
  try {
    const changed = plan.actions.filter(({ path, from }) => !isAsThen(folders, path, from)).map(({ path }) => path)
    if (changed.length > 0) return { outcome: "refused", because: "changed", paths: changed }
    await workspace.objects.sync()
    return await carryOut(workspace, plan, folders, wanted)
  } finally {
    folders.close()
  }
}

/** The record names the snapshot of now: it is durable before. */
async function nothingToDo({ objects }: OpenWorkspace, plan: RestorePlan, { id, record }: Wanted): Promise<Restored> {
  await objects.sync()
  const { now, files, kept } = plan
  const restored: Restored = { outcome: "restored", id, before: now, after: now, files, kept }
  await record?.(restored)
  return restored
}

/** Contract: true if the path is as the plan expects, or will be once a link on the way is a folder. */
export function isAsThen(folders: Folders, path: string, expected: FileState | undefined): boolean {
  const parent = reach(folders, parentOf(path))
  return isAsExpected(parent && stateIn(parent, nameOf(path), folders.spelt), expected)
}

function refuseWhileOpen(workspace: OpenWorkspace): void {
  refuseWhileRunning(workspace)
  if (restoresAround(workspace).length === 0) return
  const problem = "an interrupted restore has to be recovered first"
  throw new RetconError({ code: "restore-failed", problem, path: workspace.root, rolledBack: false })
}

function refuseWhileRunning(workspace: OpenWorkspace, mine?: string): void {
  const pid = runningAround(workspace, mine)
  if (pid !== undefined) throw new RetconError({ code: "session-busy", session: workspace.session, pid })
}

async function carryOut(
  workspace: OpenWorkspace,
  plan: RestorePlan,
  folders: Folders,
  { id, session, record }: Wanted,
): Promise<Restored> {
  const work = workOf(workspace, plan, folders, id)
  running.add(id)
  try {
    startJournal(workspace, { id, session, holder: myself(), now: plan.now, actions: work.actions })
    giveWay(workspace, id)
    return await beating(workspace, () => putInPlace(workspace, plan, work, record))
  } finally {
    running.delete(id)
  }
}

/** Where the number of our process means nothing, only the journal's heartbeat shows that the restore goes on. */
async function beating<Answer>({ folder, clock }: OpenWorkspace, work: () => Promise<Answer>): Promise<Answer> {
  const stop = keepBeating(journalFile(folder), clock)
  try {
    return await work()
  } finally {
    stop()
  }
}

function startJournal(workspace: OpenWorkspace, journal: Journal): void {
  try {
    writeJournal(workspace.disk, workspace.folder, journal)
  } catch (error) {
    throw failureOf(error, workspace.root, true)
  }
}

/**
 * Restores in two folders, one inside the other, have a journal each: the one that sees the other's touches no file.
 */
function giveWay(workspace: OpenWorkspace, id: string): void {
  try {
    refuseWhileRunning(workspace, id)
  } catch (error) {
    removeJournal(workspace.disk, workspace.folder)
    throw error
  }
}

async function putInPlace(
  workspace: OpenWorkspace,
  plan: RestorePlan,
  work: RestoreWork,
  record: Record | undefined,
): Promise<Restored> {
  const { now, files, kept, actions } = plan
  let restored: Restored
  try {
    await stage(work)
    apply(work)
    await syncFolders(work)
    const written = actions.filter(({ to }) => to !== undefined).map(({ path }) => path)
    const { id: after } = await takeSnapshot(workspace, { paths: actions.map(({ path }) => path), written })
    checkAfter(openView(workspace.objects, workspace.root, after), work)
    checkAside(work)
    restored = { outcome: "restored", id: work.id, before: now, after, files, kept }
    await record?.(restored)
  } catch (error) {
    return undo(workspace, work, error)
  }
  const saved = finish(workspace, work).map((path): Kept => ({ path, because: "saved-meanwhile" }))
  return { ...restored, kept: [...kept, ...saved] }
}

/** What someone saved since a file was brought is theirs: an undo of this restore must not take it for ours. */
function checkAfter(after: SnapshotView, { actions }: RestoreWork): void {
  for (const { path, from, to } of actions) {
    if ((to ?? from)?.kind === "folder") continue
    if (!same(stateAt(after, path), to)) throw new ChangedMeanwhile(path)
  }
}

/**
 * The restore is final now. If tidying up fails, the journal stays, and `recover` completes it. Returns the files that
 * someone wrote to meanwhile.
 */
function finish(workspace: OpenWorkspace, work: RestoreWork): string[] {
  try {
    const saved = tidy(work)
    removeJournal(workspace.disk, workspace.folder)
    return saved
  } catch (error) {
    if (errno(error) === undefined) throw error
    return []
  }
}

function undo(workspace: OpenWorkspace, work: RestoreWork, error: unknown): Restored {
  try {
    const left = [...putBack(work), ...tidy(work)]
    removeJournal(workspace.disk, workspace.folder)
    if (error instanceof ChangedMeanwhile)
      return { outcome: "refused", because: "changed", paths: [...new Set([error.path, ...left])] }
    throw failureOf(error, workspace.root, left.length === 0)
  } catch (second) {
    if (second instanceof RetconError) throw second
    throw failureOf(error, workspace.root, false)
  }
}

function workOf(workspace: OpenWorkspace, plan: RestorePlan, folders: Folders, id: string): RestoreWork {
  const { root, disk, objects, clock } = workspace
  const goes = new Set(
    plan.actions
      .filter(({ from, to }) => from?.kind === "folder" && to?.kind !== "folder")
      .map(({ path }) => folded(path)),
  )
  const actions = plan.actions.map((action) => ({ ...action, folder: stagingFolder(root, action.path, goes) }))
  return { id, root, disk, objects, folders, actions, clock, looks: new Map() }
}

export function workFrom({ root, disk, objects, clock }: Site, journal: Journal): RestoreWork {
  const folders = openFolders(root, speltTwice(journal.actions.map(({ path }) => path)))
  return { id: journal.id, root, disk, objects, folders, actions: journal.actions, clock, looks: new Map() }
}

/**
 * A restore that the system refused, and the file concerned. Contract: once all files are back, what kept the move from
 * being recorded is the failure. Otherwise it names the file that the system refused, or the folder in which nothing
 * can be staged; else `path`.
 */
export function failureOf(error: unknown, path: string, rolledBack: boolean): RetconError {
  if (error instanceof RetconError && (rolledBack || error.code === "unsafe-path")) return error
  const problem = error instanceof Error ? (errno(error) ?? error.message) : String(error)
  return new RetconError(
    { code: "restore-failed", problem, path: refusedPath(error) ?? path, rolledBack },
    { cause: error },
  )
}

/** A rename has two names, one of which is ours. */
function refusedPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: unknown }
  const named = [path, dest].filter((each) => typeof each === "string")
  const staged = named.find((each) => isStaged(basename(each)))
  return named.find((each) => !isStaged(basename(each))) ?? (staged === undefined ? undefined : dirname(staged))
}
