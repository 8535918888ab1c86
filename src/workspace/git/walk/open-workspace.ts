// What one open workspace holds: where it is, its object store, and the index that this session keeps.

import fs from "node:fs"
import nodePath from "node:path"
import { makeFolders } from "../../../model/failure/system-failure.ts"
import { addRules, isIgnored, type Rules } from "../../ignore/rules.ts"
import type { Settings, SnapshotId } from "../../port.ts"
import type { Disk } from "../disk/disk.ts"
import { type Manifest, USUAL } from "../objects/manifest.ts"
import type { Objects } from "../objects/objects.ts"
import { excludeText, type Project, projectAround, readIfThere, readIgnoreFile } from "../project/project.ts"
import type { HelperThread } from "./helper-thread.ts"
import type { Includes } from "./include.ts"
import type { LeftOut } from "./lost.ts"
import type { StatMany } from "./stat-many.ts"
import type { FolderNode } from "./tree-index.ts"
import type { Around } from "./walk.ts"

export type Session = {
  /** The workspace, absolute, links resolved. */
  root: string
  /** Our folder for this workspace, absolute. */
  folder: string
  ownHome: string
  name: string
  settings: Settings
  includes: Includes
  disk: Disk
  objects: Objects
  clock: () => number
  /** The file of what the person ignores everywhere. */
  personIgnore: string | undefined
  index: FolderNode
  helper: HelperThread
  statMany: StatMany
  /** All known paths, while none came or went. */
  known: string[] | undefined
  manifest: { oid: string; value: Manifest } | undefined
  last: SnapshotId | undefined
  /** What the last snapshot of this process left out. */
  leftOut: LeftOut | undefined
  indexSaved: boolean
  /** The last `gc` that this session knows of. */
  gcSeen: number
}

export const NO_MANIFEST: Manifest = {
  usual: USUAL,
  perms: new Map(),
  skipped: new Map(),
  repositories: [],
}

export type Outer = { around: Around; project: Project | undefined }

/** What is in force at the workspace's root: rules of its repository, also when that begins further up. */
export function outerRules(session: Session): Outer {
  const project = projectAround(session.root)
  const everywhere = personRules(session, project?.top ?? session.root)
  const alone: Outer = { around: { above: everywhere, project: undefined, ignored: false }, project: undefined }
  if (project === undefined) return alone
  let above = everywhere
  const add = (folder: string, text: Buffer | undefined) => {
    if (text === undefined || text.length === 0) return
    above = addRules(above, folder, text)
  }
  add(project.top, excludeText(project))
  const below = nodePath.relative(project.top, session.root)
  let folder = project.top
  for (const name of below === "" ? [] : below.split("/")) {
    add(folder, readIgnoreFile(`${folder}/.gitignore`))
    // The repository above does not want this folder, so the folder is none of its: its rules would leave out everything.
    if (isIgnored(above, folder, name, true) && !project.tracked().folders.has(pathIn(project, `${folder}/${name}`)))
      return { ...alone, around: { ...alone.around, above: personRules(session, session.root) } }
    folder = `${folder}/${name}`
  }
  const ignored = false
  return { around: { above, project, ignored }, project }
}

function pathIn(project: Project, absolute: string): string {
  return absolute.slice(project.top.length + 1)
}

/** What the person ignores everywhere: the weakest rules, as in git. */
export function personRules({ personIgnore }: Pick<Session, "personIgnore">, top: string): Rules | undefined {
  const text = personIgnore === undefined ? undefined : readIfThere(personIgnore)
  return text === undefined ? undefined : addRules(undefined, top, text)
}

/** Lets other work run when a stretch of synchronous work gets long. */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < 12) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

export function ensureFolder(path: string): void {
  makeFolders(path, (folder) => fs.mkdirSync(folder, { mode: 0o700 }))
}

/** Changes whenever `gc` has run, in any process: then nothing is believed to be in the store without looking. */
export function gcMark(folder: string): number {
  return fs.statSync(`${folder}/gc-done`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
