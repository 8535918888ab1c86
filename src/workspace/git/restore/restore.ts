// Carries out a plan, all or nothing: safety snapshot durable, journal durable, files staged, then renamed into place.

import fs from "node:fs"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { nameOf, parentOf } from "../../path.ts"
import type { FileState, Restored, RestorePlan } from "../../port.ts"
import { type Folders, openFolders } from "../disk/folders.ts"
import { folded, speltTwice } from "../disk/spelling.ts"
import { openView } from "../objects/snapshot-view.ts"
import { checkWay, stateIn } from "../snapshot/disk-state.ts"
import type { Session } from "../snapshot/open-workspace.ts"
import { takeSnapshot } from "../snapshot/take-snapshot.ts"
import { apply, ChangedMeanwhile, isAsExpected, stage } from "./apply.ts"
import { type Journal, journalFile, removeJournal, running, startOf, writeJournal } from "./journal.ts"
import { putBack } from "./put-back.ts"
import { failureOf } from "./restore-failure.ts"
import { restoresAround, runningAround, type Site } from "./restores-around.ts"
import { reach, stagingFolder, syncFolders, tidy, type Work } from "./staged.ts"

type Record = (restored: Restored) => Promise<void>
type Wanted = { id: string; session: string; record: Record | undefined }

export async function restorePlan(session: Session, plan: RestorePlan, wanted: Wanted): Promise<Restored> {
  if (plan.conflicts.length > 0) return { outcome: "refused", because: "conflicts", conflicts: plan.conflicts }
  refuseWhileOpen(session)
  openView(session.objects, session.root, plan.now)
  const turned = new Set(plan.actions.filter(({ to }) => to?.kind === "folder").map(({ path }) => path))
  for (const { path, to } of plan.actions) {
    checkWay(session.root, path, turned)
    if (to !== undefined && to.kind !== "folder") session.objects.read(to.oid)
  }
  const folders = openFolders(session.root, speltTwice(plan.actions.map(({ path }) => path)))
  try {
    const changed = plan.actions.filter(({ path, from }) => !isAsThen(folders, path, from)).map(({ path }) => path)
    if (changed.length > 0) return { outcome: "refused", because: "changed", paths: changed }
    await session.objects.sync()
    return await carryOut(session, plan, folders, wanted)
  } finally {
    folders.close()
  }
}

/** Contract: true when the path is as the plan expects, or as it will be once a link on the way is a folder. */
export function isAsThen(folders: Folders, path: string, expected: FileState | undefined): boolean {
  const parent = reach(folders, parentOf(path))
  return isAsExpected(parent && stateIn(parent, nameOf(path), folders.spelt), expected)
}

function refuseWhileOpen(session: Session): void {
  refuseWhileRunning(session)
  if (restoresAround(session).length === 0) return
  const problem = "an interrupted restore has to be recovered first"
  throw new RetconError({ code: "restore-failed", problem, path: session.root, rolledBack: false })
}

function refuseWhileRunning(session: Session, mine?: string): void {
  const pid = runningAround(session, mine)
  if (pid !== undefined) throw new RetconError({ code: "session-busy", session: session.name, pid })
}

async function carryOut(
  session: Session,
  plan: RestorePlan,
  folders: Folders,
  { id, session: name, record }: Wanted,
): Promise<Restored> {
  const work = workOf(session, plan, folders, id)
  const journal = {
    id,
    session: name,
    pid: process.pid,
    started: startOf(process.pid),
    now: plan.now,
    actions: work.actions,
  }
  running.add(id)
  try {
    startJournal(session, journal)
    giveWay(session, id)
    return await putInPlace(session, plan, work, record)
  } finally {
    running.delete(id)
  }
}

function startJournal(session: Session, journal: Journal): void {
  try {
    writeJournal(session.disk, session.folder, journal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") fs.rmSync(journalFile(session.folder), { force: true })
    throw failureOf(error, session.root, true)
  }
}

/** Two restores in folders one above the other have a journal each: whoever sees the other's ends before it touches a file. */
function giveWay(session: Session, id: string): void {
  try {
    refuseWhileRunning(session, id)
  } catch (error) {
    removeJournal(session.disk, session.folder)
    throw error
  }
}

async function putInPlace(
  session: Session,
  plan: RestorePlan,
  work: Work,
  record: Record | undefined,
): Promise<Restored> {
  const { now, files, kept, actions } = plan
  let restored: Restored
  try {
    await stage(work)
    apply(work)
    await syncFolders(work)
    const written = actions.filter(({ to }) => to !== undefined).map(({ path }) => path)
    const { id: after } = await takeSnapshot(session, { paths: actions.map(({ path }) => path), written })
    restored = { outcome: "restored", id: work.id, before: now, after, files, kept }
    await record?.(restored)
  } catch (error) {
    return undo(session, work, error)
  }
  finish(session, work)
  return restored
}

/** From here the restore counts. If tidying fails the journal stays, and `recover` completes it. */
function finish(session: Session, work: Work): void {
  try {
    tidy(work)
    removeJournal(session.disk, session.folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
  }
}

function undo(session: Session, work: Work, error: unknown): Restored {
  try {
    const left = putBack(work)
    tidy(work)
    removeJournal(session.disk, session.folder)
    if (error instanceof ChangedMeanwhile)
      return { outcome: "refused", because: "changed", paths: [...new Set([error.path, ...left])] }
    throw failureOf(error, session.root, left.length === 0)
  } catch (second) {
    if (second instanceof RetconError) throw second
    throw failureOf(error, session.root, false)
  }
}

function workOf(session: Session, plan: RestorePlan, folders: Folders, id: string): Work {
  const { root, disk, objects } = session
  const goes = new Set(
    plan.actions
      .filter(({ from, to }) => from?.kind === "folder" && to?.kind !== "folder")
      .map(({ path }) => folded(path)),
  )
  const actions = plan.actions.map((action) => ({ ...action, folder: stagingFolder(root, action.path, goes) }))
  return { id, root, disk, objects, folders, actions }
}

export function workFrom({ root, disk, objects }: Site, journal: Journal): Work {
  const folders = openFolders(root, speltTwice(journal.actions.map(({ path }) => path)))
  return { id: journal.id, root, disk, objects, folders, actions: journal.actions }
}
