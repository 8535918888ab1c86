// Takes a snapshot: of the whole workspace, or of the paths that a tool names on top of the snapshot before.

import type { NotCovered, Repository, Snapshot } from "../../port.ts"
import { breather } from "../bulk/breather.ts"
import { WORTH_A_THREAD } from "../bulk/stat-many.ts"
import { projectAt, repositoryState } from "../project/project.ts"
import { look } from "../walk/look.ts"
import { type Outer, outerRules } from "../walk/rules-around.ts"
import { bulkStats, directStats, knownPaths, type StatSource } from "../walk/stat-source.ts"
import { childPath, everyFolder, newFolder } from "../walk/tree-index.ts"
import { type WalkContext, type Walked, walk } from "../walk/walk.ts"
import { noteLast } from "./kept-index.ts"
import { leftOut, lostSince } from "./lost.ts"
import { gcMark, NO_MANIFEST, type Session } from "./open-workspace.ts"
import { manifestOf, readAll, writeManifest, writeSnapshot, writeTree } from "./store-index.ts"

// From here on one pack is cheaper to write, and far cheaper to make durable, than loose objects.
const BULK = 48

/** `written`: what a restore has put there. It is covered whatever the rules say, or the restore could not be undone. */
export async function takeSnapshot(
  session: Session,
  { paths, written = [] }: { paths?: string[]; written?: string[] } = {},
): Promise<Snapshot> {
  const gc = gcMark(session.folder)
  if (gc !== session.gcSeen) session.objects.forget()
  session.gcSeen = gc
  const outer = outerRules(session)
  const context = contextOf(session)
  const seen =
    session.last !== undefined && paths !== undefined
      ? await look(context, session.index, { paths, written }, outer.around)
      : await walk({ ...context, stats: await allStats(session, context) }, session.index, outer.around)
  const bulk = seen.unread.length > BULK ? session.objects.startBulk() : undefined
  try {
    const { objects, root, helper, settings } = session
    const { at, breathe } = context
    const help = seen.unread.length >= WORTH_A_THREAD && { helper, limit: settings.maxFileSize }
    const { changed, moved, grown } = await readAll(
      { objects, root, at, usual: usualOf(session), breathe, ...(help && { help }) },
      seen.unread,
    )
    const tree = writeTree(session.objects, session.index)
    refreshManifest(session, seen, moved)
    const id = writeSnapshot(session.objects, tree, session.manifest?.oid ?? "")
    bulk?.finish()
    await session.objects.sync()
    if (grown || seen.moved || seen.gone.length > 0) session.known = undefined
    if (id !== session.last || changed.length > 0 || seen.unread.length > 0) session.indexSaved = false
    if (id !== session.last) noteLast(session, id)
    session.last = id
    const notCovered = "notCovered" in seen ? (seen.notCovered as NotCovered[]) : notCoveredIn(session)
    const now = leftOut(session, outer)
    const lost = lostSince(session, session.leftOut, now)
    session.leftOut = now
    return { id, changed: [...changed, ...seen.gone], notCovered, lost, repositories: repositoriesOf(session, outer) }
  } catch (error) {
    // What the abandoned pack held is in no store: start from nothing rather than name it.
    if (bulk !== undefined) {
      bulk.abandon()
      session.index = newFolder(undefined, "")
      session.known = undefined
      session.manifest = undefined
      session.last = undefined
    }
    throw error
  }
}

function allStats(session: Session, context: WalkContext): Promise<StatSource> {
  session.known ??= knownPaths(session.index)
  return bulkStats(session.statMany, session.root, session.known, context.breathe)
}

export function contextOf(session: Session): WalkContext {
  const { root, settings, includes, ownHome, personIgnore, clock } = session
  return { root, settings, includes, ownHome, personIgnore, at: clock(), breathe: breather(), stats: directStats(root) }
}

export function usualOf(session: Session) {
  return (session.manifest?.value ?? NO_MANIFEST).usual
}

export function refreshManifest(session: Session, seen: Pick<Walked, "gone" | "moved">, moved: boolean): void {
  const old = session.manifest?.value
  const stays = old !== undefined && old.ignoredThen === undefined && !moved && !seen.moved
  if (stays && !seen.gone.some((path) => old.perms.has(path))) return
  const value = manifestOf(session.index)
  session.manifest = { value, oid: writeManifest(session.objects, value) }
}

/** What is ignored is so by the person's own word, and there may be very much of it: only the rest is worth telling. */
function notCoveredIn(session: Session): NotCovered[] {
  const notCovered: NotCovered[] = []
  everyFolder(session.index, (folder) => {
    for (const [name, because] of folder.skipped)
      if (because !== "ignored") notCovered.push({ path: childPath(folder, name), because })
  })
  return notCovered
}

function repositoriesOf(session: Session, outer: Outer): Repository[] {
  const repositories: Repository[] = outer.project === undefined ? [] : [repositoryState(outer.project, "")]
  for (const path of session.manifest?.value.repositories ?? []) {
    const project = projectAt(`${session.root}/${path}`)
    if (project !== undefined) repositories.push(repositoryState(project, path))
  }
  return repositories
}
