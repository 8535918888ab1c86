// Takes a snapshot: of the whole workspace, or of the paths that a tool names, on top of the previous snapshot.
import type { NotCovered } from "../../../model/move/file-outcomes.ts"
import type { Repository, Snapshot } from "../../port.ts"
import { WORTH_A_THREAD } from "../bulk/stat-many.ts"
import { projectAt, repositoryState } from "../project/project.ts"
import { lookAtPaths } from "../walk/look-at-paths.ts"
import { type Outer, outerRules } from "../walk/rules-around.ts"
import { bulkStats, directStats, knownPaths, type StatSource } from "../walk/stat-source.ts"
import { childPath, everyFolder } from "../walk/tree-index.ts"
import { type WalkContext, type Walked, walk } from "../walk/walk.ts"
import { lstatInside } from "./disk-state.ts"
import { loadIndex, noteLast } from "./kept-index.ts"
import { gcMark, type LeftOutPaths, NO_MANIFEST, type OpenWorkspace } from "./open-workspace.ts"
import { manifestOf, readAll, writeManifest, writeSnapshot, writeTree } from "./store-index.ts"

// Above this many files, a pack is cheaper to write, and far cheaper to make durable, than loose objects.
const BULK = 48

/** `written`: what a restore wrote. It is covered whatever the rules say, or the restore could not be undone. */
type Wanted = { paths?: string[]; written?: string[] }

/** Contract: the next one is right, whatever happens to this one: it does not build on what a failed one left. */
export async function takeSnapshot(workspace: OpenWorkspace, { paths, written = [] }: Wanted = {}): Promise<Snapshot> {
  if (workspace.isTorn) startAgain(workspace)
  if (paths !== undefined && workspace.last === undefined) return firstWithPaths(workspace, { paths, written })
  workspace.isTorn = true
  const taken = await take(workspace, paths === undefined ? {} : { paths, written })
  workspace.isTorn = false
  return taken
}

/** From the index as it was last saved; what has changed since is looked for in the whole folder. */
function startAgain(workspace: OpenWorkspace): void {
  const { objects, folder, root, session } = workspace
  Object.assign(workspace, loadIndex(objects, folder, root, session), { last: undefined, known: undefined })
}

async function take(workspace: OpenWorkspace, { paths, written = [] }: Wanted): Promise<Snapshot> {
  const gc = gcMark(workspace.sharedFolder)
  if (gc !== workspace.gcSeen) workspace.objects.forget()
  workspace.gcSeen = gc
  const outer = outerRules(workspace)
  const context = contextOf(workspace)
  const seen =
    paths !== undefined
      ? await lookAtPaths(context, workspace.index, { paths, written }, outer.around)
      : await walk({ ...context, stats: await allStats(workspace, context) }, workspace.index, outer.around)
  const bulk = seen.unread.length > BULK ? workspace.objects.startBulk() : undefined
  try {
    const { objects, root, helper, settings } = workspace
    const { at, breathe } = context
    const help = seen.unread.length >= WORTH_A_THREAD && { helper, limit: settings.maxFileSize }
    const { changed, moved, grown } = await readAll(
      { objects, root, at, usual: usualOf(workspace), breathe, ...(help && { help }) },
      seen.unread,
    )
    const tree = writeTree(workspace.objects, workspace.index)
    refreshManifest(workspace, seen, moved)
    const id = writeSnapshot(workspace.objects, tree, workspace.manifest?.oid ?? "")
    bulk?.finish()
    await workspace.objects.sync()
    if (grown || seen.moved || seen.gone.length > 0) workspace.known = undefined
    if (id !== workspace.last || changed.length > 0 || seen.unread.length > 0) workspace.indexSaved = false
    if (id !== workspace.last) noteLast(workspace, id)
    workspace.last = id
    const notCovered = "notCovered" in seen ? (seen.notCovered as NotCovered[]) : notCoveredIn(workspace)
    const now = leftOut(workspace, outer)
    const lost = removedSince(workspace, workspace.leftOut, now)
    workspace.leftOut = now
    return { id, changed: [...changed, ...seen.gone], notCovered, lost, repositories: repositoriesOf(workspace, outer) }
  } catch (error) {
    bulk?.abandon()
    throw error
  }
}

/** Only a look says why a requested path is left out, and a look builds on a whole snapshot. */
async function firstWithPaths(
  workspace: OpenWorkspace,
  named: { paths: string[]; written: string[] },
): Promise<Snapshot> {
  const whole = await takeSnapshot(workspace)
  const looked = await takeSnapshot(workspace, named)
  const changed = [...new Set([...whole.changed, ...looked.changed])]
  return { ...looked, changed, lost: [...whole.lost, ...looked.lost] }
}

function allStats(workspace: OpenWorkspace, context: WalkContext): Promise<StatSource> {
  workspace.known ??= knownPaths(workspace.index)
  return bulkStats(workspace.statMany, workspace.root, workspace.known, context.breathe)
}

export function contextOf(workspace: OpenWorkspace): WalkContext {
  const { root, settings, includes, ownHome, personIgnore, clock } = workspace
  return { root, settings, includes, ownHome, personIgnore, at: clock(), breathe: breather(), stats: directStats(root) }
}

export function usualOf(workspace: OpenWorkspace) {
  return (workspace.manifest?.value ?? NO_MANIFEST).usual
}

export function refreshManifest(workspace: OpenWorkspace, seen: Pick<Walked, "gone" | "moved">, moved: boolean): void {
  const old = workspace.manifest?.value
  const stays = old !== undefined && old.ignoredThen === undefined && !moved && !seen.moved
  if (stays && !seen.gone.some((path) => old.perms.has(path))) return
  const value = manifestOf(workspace.index)
  workspace.manifest = { value, oid: writeManifest(workspace.objects, value) }
}

/** The person chose what is ignored, and it may be a lot: only the rest is worth naming. */
function notCoveredIn(workspace: OpenWorkspace): NotCovered[] {
  const notCovered: NotCovered[] = []
  everyFolder(workspace.index, (folder) => {
    for (const [name, because] of folder.skipped)
      if (because !== "ignored") notCovered.push({ path: childPath(folder, name), because })
  })
  return notCovered
}

function repositoriesOf(workspace: OpenWorkspace, outer: Outer): Repository[] {
  const repositories: Repository[] = outer.project === undefined ? [] : [repositoryState(outer.project, "")]
  for (const path of workspace.manifest?.value.repositories ?? []) {
    const project = projectAt(`${workspace.root}/${path}`)
    if (project !== undefined) repositories.push(repositoryState(project, path))
  }
  return repositories
}

/**
 * What snapshots leave out and someone has removed: ignored files, a repository's own folder. We cannot restore it, so
 * we only report it. What the last look at the folder left out.
 */
function leftOut(workspace: OpenWorkspace, outer: Outer): LeftOutPaths {
  const { skipped, repositories } = workspace.manifest?.value ?? NO_MANIFEST
  const own = outer.project?.top === workspace.root ? [".git"] : []
  return { skipped, repositories: new Set([...own, ...repositories.map((path) => `${path}/.git`)]) }
}

/** Contract: sorted. Costs what is no longer left out. */
function removedSince({ root }: OpenWorkspace, before: LeftOutPaths | undefined, now: LeftOutPaths): string[] {
  if (before === undefined) return []
  const skipped =
    before.skipped === now.skipped ? [] : [...before.skipped.keys()].filter((path) => !now.skipped.has(path))
  const repositories = [...before.repositories].filter((path) => !now.repositories.has(path))
  return [...skipped, ...repositories].filter((path) => lstatInside(root, path) === undefined).sort()
}

/** Keeps the process responsive during long stretches of synchronous work. Lets other work run after a while. */
function breather(): () => Promise<void> | undefined {
  let since = elapsed()
  return () => {
    if (elapsed() - since < 12) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = elapsed()
        resolve()
      }),
    )
  }
}

/** Milliseconds. Not `performance`: a hook would load that for nothing else, and it takes 2 of them. */
function elapsed(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
