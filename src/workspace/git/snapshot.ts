// Takes a snapshot: of the whole workspace, or of the paths that a tool names on top of the snapshot before.

import type { NotCovered, Repository, Snapshot } from "../port.ts"
import { look } from "./look.ts"
import type { Manifest } from "./manifest.ts"
import { excludeText, projectAt, repositoryState } from "./project.ts"
import { breather, NO_MANIFEST, type Outer, outerRules, ruleText, type Session } from "./session.ts"
import { everyFolder, manifestOf, readAll, writeManifest, writeSnapshot, writeTree } from "./store-index.ts"
import { childPath, newFolder } from "./tree-index.ts"
import { type Walked, type WalkContext, walk } from "./walk.ts"

const BULK = 200

export async function takeSnapshot(session: Session, { paths }: { paths?: string[] } = {}): Promise<Snapshot> {
  const outer = outerRules(session)
  const context = contextOf(session)
  const known = session.last !== undefined && paths !== undefined
  const seen = known
    ? await look(context, session.index, paths, outer.around)
    : await walk(context, session.index, outer.around)
  const bulk = seen.unread.length > BULK ? session.objects.startBulk() : undefined
  try {
    const { changed, moved } = await readAll(
      {
        objects: session.objects,
        root: session.root,
        at: context.at,
        usual: usualOf(session),
        breathe: context.breathe,
      },
      seen.unread,
    )
    const tree = writeTree(session.objects, session.index)
    refreshManifest(session, outer, seen, moved)
    const id = writeSnapshot(session.objects, tree, session.manifest?.oid ?? "")
    bulk?.finish()
    if (id !== session.last || changed.length > 0 || seen.unread.length > 0) session.indexSaved = false
    session.last = id
    const notCovered = "notCovered" in seen ? (seen.notCovered as NotCovered[]) : notCoveredIn(session)
    return { id, changed: [...changed, ...seen.gone], notCovered, repositories: repositoriesOf(session, outer) }
  } catch (error) {
    // What the abandoned pack held is in no store: start from nothing rather than name it.
    if (bulk !== undefined) {
      bulk.abandon()
      session.index = newFolder(undefined, "")
      session.manifest = undefined
      session.last = undefined
    }
    throw error
  }
}

export function contextOf(session: Session): WalkContext {
  const { root, settings, includes, ownHome, clock } = session
  return { root, settings, includes, ownHome, at: clock(), breathe: breather() }
}

export function usualOf(session: Session) {
  return (session.manifest?.value ?? NO_MANIFEST).usual
}

export function refreshManifest(
  session: Session,
  outer: Outer,
  seen: Pick<Walked, "gone" | "moved">,
  moved: boolean,
): void {
  const old = session.manifest?.value
  const sameRules =
    old !== undefined &&
    outer.rules.every((rule, i) => rule.folder === old.rules[i]?.folder && rule.text === old.rules[i]?.text) &&
    old.rules.length - outer.rules.length === nestedRules(session, old.repositories).length
  if (sameRules && !moved && !seen.moved && !seen.gone.some((path) => old.perms.has(path))) return
  const value = manifestOf(session.index, { rules: [], include: session.settings.include })
  value.rules = [...outer.rules, ...nestedRules(session, value.repositories)]
  session.manifest = { value, oid: writeManifest(session.objects, value) }
}

function nestedRules(session: Session, repositories: string[]): Manifest["rules"] {
  const rules: Manifest["rules"] = []
  for (const folder of repositories) {
    const project = projectAt(`${session.root}/${folder}`)
    const text = project && excludeText(project)
    if (text !== undefined && text.length > 0) rules.push({ folder, text: ruleText(text) })
  }
  return rules
}

function notCoveredIn(session: Session): NotCovered[] {
  const notCovered: NotCovered[] = []
  everyFolder(session.index, (folder) => {
    for (const [name, because] of folder.skipped) notCovered.push({ path: childPath(folder, name), because })
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
