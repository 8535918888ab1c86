// Opens the workspace of a folder: snapshots are in our own home, in a folder named after the workspace's real path.
import fs from "node:fs"
import nodePath from "node:path"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"
import { systemFailure } from "../../model/failure/system-failure.ts"
import { serial } from "../../model/serial.ts"
import { DEFAULT_SETTINGS, type Workspace, type WorkspaceSettings } from "../port.ts"
import { openHelperThread } from "./bulk/helper-thread.ts"
import { openStatMany } from "./bulk/stat-many.ts"
import { copyOut } from "./copy/copy-out.ts"
import { type BeforeWrite, openDisk } from "./disk/disk.ts"
import { collectGarbage, usageOf } from "./doctor/gc.ts"
import { openObjects } from "./objects/objects.ts"
import { openView, stateAt } from "./objects/snapshot-view.ts"
import { committedBefore } from "./project/committed-before.ts"
import { commitsSince } from "./project/new-commits.ts"
import { newStore, setRoot, sharedBy, storeOf, storesFolder } from "./project/store-folder.ts"
import { makePlan } from "./restore/plan-restore.ts"
import { recoverRestore } from "./restore/recover.ts"
import { restorePlan } from "./restore/restore.ts"
import { diffSnapshots, patchSnapshots } from "./snapshot/compare.ts"
import { loadIndex, saveIndex } from "./snapshot/kept-index.ts"
import { ensureFolder, gcMark, type OpenWorkspace } from "./snapshot/open-workspace.ts"
import { putSnapshot } from "./snapshot/put-snapshot.ts"
import { takeSnapshot } from "./snapshot/take-snapshot.ts"
import { includesFrom } from "./walk/include.ts"

export type OpenRequest = {
  /** The folder whose files are covered. */
  root: string
  /** Retcon's own home. */
  home: string
  /** The session whose index to use. */
  session: string
  /** The id of the store with its snapshots; by default the folder's own. */
  store?: string | undefined
  settings?: Partial<WorkspaceSettings>
  /** The person's home directory; it is covered only if they allow that. */
  personHome?: string
  /** The file with what the person ignores in every repository. It need not exist. */
  personIgnore?: string
  /** In milliseconds, from the clock that the file system uses. */
  clock: () => number
  /** Sixteen hexadecimal digits that have not been used before. */
  newId: () => string
  /** Called before each write; may throw. For tests of failures. */
  beforeWrite?: BeforeWrite
}

/** Contract: writes only below `home`. Rejects with `no-workspace` when the folder cannot be opened. */
export async function openGitWorkspace(request: OpenRequest): Promise<Workspace> {
  const workspace = await told(request.home, async () => openWorkspace(request))
  // One call at a time: within a session nothing else uses the index and the store.
  const queue = serial()
  const inTurn = <Value>(work: () => Promise<Value>) => queue.run(() => told(workspace.folder, work))
  return {
    unavailable: undefined,
    snapshot: (options) => inTurn(() => saving(workspace, () => takeSnapshot(workspace, options))),
    put: (files) => inTurn(() => putSnapshot(workspace, files)),
    diff: (from, to, options) => inTurn(async () => diffSnapshots(workspace, from, to, options?.paths)),
    patch: (from, to, options) => inTurn(async () => patchSnapshots(workspace, from, to, options?.paths)),
    blob: (snapshot, path) =>
      inTurn(async () => {
        const state = stateAt(openView(workspace.objects, workspace.root, snapshot), path)
        return state === undefined || state.kind === "folder" ? undefined : workspace.objects.read(state.oid).data
      }),
    check: (snapshot) =>
      inTurn(async () => {
        openView(workspace.objects, workspace.root, snapshot)
      }),
    planRestore: (options) => inTurn(() => makePlan(workspace, options)),
    restore: (plan, options) =>
      inTurn(() =>
        restorePlan(workspace, plan, {
          id: request.newId(),
          session: options?.by ?? workspace.session,
          record: options?.record,
        }),
      ),
    recover: (options) => inTurn(() => recoverRestore(workspace, options ?? {})),
    copy: (options) => inTurn(() => copyOut(workspace, options)),
    gc: (options) => inTurn(async () => collectGarbage(workspace, options)),
    usage: () => inTurn(async () => usageOf(workspace)),
    commits: (options) => inTurn(async () => commitsSince(workspace.root, options)),
    committedBefore: (range) => inTurn(async () => committedBefore(workspace.root, range)),
    close: () =>
      inTurn(async () => {
        if (!workspace.indexSaved) saveIndex(workspace)
        workspace.objects.close()
        await workspace.helper.close()
      }),
  }
}

function openWorkspace(request: OpenRequest): OpenWorkspace {
  const settings = { ...DEFAULT_SETTINGS, ...request.settings }
  const root = realFolder(request.root)
  if (!settings.allowAny && request.personHome !== undefined && isAtOrAbove(root, request.personHome)) {
    throw new RetconError({ code: "too-many-files", folder: root, files: 0, limit: settings.maxFiles })
  }
  ensureFolder(request.home)
  const ownHome = fs.realpathSync(request.home)
  const store = request.store ?? storeOf(ownHome, root) ?? newStore(ownHome, root)
  const folder = nodePath.join(storesFolder(ownHome), store)
  const sharedFolder = nodePath.join(storesFolder(ownHome), sharedBy(ownHome, store) ?? store)
  ensureFolder(`${sharedFolder}/objects/pack`)
  ensureFolder(`${folder}/refs`)
  ensureFolder(`${folder}/indexes`)
  if (!fs.existsSync(`${folder}/HEAD`)) fs.writeFileSync(`${folder}/HEAD`, "ref: refs/heads/none\n", { mode: 0o600 })
  if (!fs.existsSync(`${folder}/root`)) setRoot(ownHome, store, root)
  const disk = openDisk(request.beforeWrite)
  const objects = openObjects(disk, `${sharedFolder}/objects`, request.clock)
  const gcSeen = gcMark(sharedFolder)
  const helper = openHelperThread()
  return {
    root,
    folder,
    sharedFolder,
    ownHome,
    session: request.session,
    settings,
    includes: includesFrom(root, settings.include),
    disk,
    objects,
    clock: request.clock,
    personIgnore: request.personIgnore,
    ...loadIndex(objects, folder, root, request.session),
    isTorn: false,
    leftOut: undefined,
    indexSaved: true,
    helper,
    statMany: openStatMany(helper),
    known: undefined,
    gcSeen,
  }
}

function realFolder(path: string): string {
  let root: string
  try {
    root = fs.realpathSync(path)
    if (fs.statSync(root).isDirectory()) return root
  } catch (error) {
    throw new RetconError({ code: "no-workspace", reason: `${path} cannot be opened` }, { cause: error })
  }
  throw new RetconError({ code: "no-workspace", reason: `${root} is not a folder` })
}

function isAtOrAbove(root: string, personHome: string): boolean {
  const home = fs.existsSync(personHome) ? fs.realpathSync(personHome) : personHome
  return root === home || home.startsWith(root === "/" ? "/" : `${root}/`)
}

/** Turns a system error into one of our failures; any other error is a defect and is left alone. */
async function told<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RetconError || !/^E[A-Z0-9]+$/.test(errno(error) ?? "")) throw error
    const path = (error as NodeJS.ErrnoException).path ?? folder
    throw new RetconError(systemFailure(error, path), { cause: error })
  }
}

/** Saves the index of a first snapshot at once: without it the next start would read every file again. */
async function saving<T>(workspace: OpenWorkspace, work: () => Promise<T>): Promise<T> {
  const first = workspace.last === undefined
  const done = await work()
  if (first) saveIndex(workspace)
  return done
}
