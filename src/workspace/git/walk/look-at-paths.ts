// Looks at single paths that a tool names, without a walk. Changes the index as the walk would.
import type { Stats } from "node:fs"
import { addRules, type Rules } from "../../../ignore/rules.ts"
import type { NotCovered, NotCoveredReason } from "../../../model/move/file-outcomes.ts"
import { diskPath, isGitName, unsafeName } from "../../port.ts"
import { lstat } from "../disk/disk.ts"
import { namesIn } from "../disk/folders.ts"
import { speltTwice } from "../disk/spelling.ts"
import { excludeText, projectAt, readIgnoreFile } from "../project/project.ts"
import { type FolderRules, personRules } from "./rules-around.ts"
import { childPath, type FolderNode, invalidate, isUnchanged, newFolder } from "./tree-index.ts"
import { isLeftOut, isTooLarge, isTooLong, newFile, type WalkContext, type Walked, walk } from "./walk.ts"

/** `spelt`: paths that are looked at in more than one spelling. `written`: covered, whatever the rules say. */
export type Looked = Walked & {
  notCovered: NotCovered[]
  spelt: ReadonlySet<string>
  written: ReadonlySet<string>
  /** The names in the folders read so far. */
  names: Map<string, ReadonlySet<string>>
}

export async function lookAtPaths(
  context: WalkContext,
  root: FolderNode,
  { paths, written = [] }: { paths: string[]; written?: string[] },
  around: FolderRules,
): Promise<Looked> {
  const looked: Looked = {
    unread: [],
    gone: [],
    repositories: [],
    moved: false,
    notCovered: [],
    spelt: speltTwice(paths),
    written: new Set(written),
    names: new Map(),
  }
  for (const path of paths) {
    const because = await lookAt(context, root, path, around, looked)
    if (because !== undefined) looked.notCovered.push({ path, because })
  }
  return looked
}

async function lookAt(
  context: WalkContext,
  root: FolderNode,
  path: string,
  around: FolderRules,
  looked: Looked,
): Promise<NotCoveredReason | undefined> {
  const names = path.split("/")
  if (names.some(isGitName)) return "git"
  if (path.startsWith("/") || names.some((name) => unsafeName(name) !== undefined)) return "outside"
  if (isTooLong(context.root, path, false)) return "long"
  const last = names.pop() as string
  let folder = root
  for (const name of names) {
    const stat = statExactly(context, folder, name, looked)
    if (stat?.isSymbolicLink()) return "outside"
    if (stat === undefined) {
      forget(folder, name, looked)
      return undefined
    }
    // Nothing can be below it: look only at the thing itself.
    if (!stat.isDirectory()) {
      await lookAtFile(context, folder, name, around, looked)
      return undefined
    }
    let child = folder.folders.get(name)
    if (child === undefined) {
      const isWritten = looked.written.has(childPath(folder, name))
      if (!isWritten && isLeftOut(context, aroundOf(context, folder, around), absoluteOf(context, folder), name, true))
        return leaveOut(folder, name, "ignored", looked)
      forget(folder, name, looked)
      child = newFolder(folder, childPath(folder, name))
      child.perm = stat.mode & 0o7777
      folder.folders.set(name, child)
      looked.moved = true
      invalidate(folder)
    }
    folder = child
  }
  return lookAtFile(context, folder, last, around, looked)
}

async function lookAtFile(
  context: WalkContext,
  folder: FolderNode,
  name: string,
  around: FolderRules,
  looked: Looked,
): Promise<NotCoveredReason | undefined> {
  const path = childPath(folder, name)
  const stat = statExactly(context, folder, name, looked)
  if (stat === undefined) {
    forget(folder, name, looked)
    return undefined
  }
  const known = folder.files.get(name)
  if (known !== undefined && isUnchanged(known, stat)) return undefined
  const here = () => aroundOf(context, folder, around)
  if (known === undefined && !folder.folders.has(name) && !looked.written.has(path)) {
    if (isLeftOut(context, here(), absoluteOf(context, folder), name, stat.isDirectory()))
      return leaveOut(folder, name, "ignored", looked)
  }
  if (stat.isDirectory()) {
    folder.files.delete(name)
    folder.skipped.delete(name)
    const child = folder.folders.get(name) ?? newFolder(folder, path)
    folder.folders.set(name, child)
    invalidate(folder)
    const below = await walk(context, child, here())
    looked.unread.push(...below.unread)
    looked.gone.push(...below.gone)
    looked.moved = true
    return undefined
  }
  if (!stat.isFile() && !stat.isSymbolicLink())
    return leaveOut(folder, name, stat.isSocket() ? "socket" : stat.isFIFO() ? "pipe" : "device", looked)
  if (stat.isFile() && isTooLarge(context, here().project, path, stat.size)) {
    return leaveOut(folder, name, "large", looked)
  }
  if (folder.skipped.delete(name)) looked.moved = true
  forgetFolder(folder, name, looked)
  if (known === undefined) folder.files.set(name, newFile())
  looked.unread.push({ folder, name, stat })
  return undefined
}

/** If the file system ignores case, a name exists only in the spelling that its folder lists. */
function statExactly(context: WalkContext, folder: FolderNode, name: string, looked: Looked): Stats | undefined {
  const path = childPath(folder, name)
  const stat = lstat(diskPath(context.root, path))
  const isSure = (folder.files.has(name) || folder.folders.has(name)) && !looked.spelt.has(path)
  if (stat === undefined || isSure || looked.names.get(folder.path)?.has(name)) return stat
  // Read the folder again if a name is missing: it may have been created meanwhile.
  const names = new Set(namesIn(diskPath(context.root, folder.path)))
  looked.names.set(folder.path, names)
  return names.size === 0 || names.has(name) ? stat : undefined
}

function absoluteOf(context: WalkContext, folder: FolderNode): string {
  return folder.path === "" ? context.root : `${context.root}/${folder.path}`
}

/** The rules that apply inside a folder, read from disk now. */
function aroundOf(context: WalkContext, folder: FolderNode, outer: FolderRules): FolderRules {
  const own = absoluteOf(context, folder)
  const project = folder.parent === undefined ? undefined : projectAt(own)
  let around = outer
  if (project !== undefined) {
    around = {
      above: addRules(personRules(context, own, project), own, excludeText(project) ?? Buffer.alloc(0)),
      project,
      ignored: false,
    }
  } else if (folder.parent !== undefined) around = aroundOf(context, folder.parent, outer)
  const text = readIgnoreFile(`${own}/.gitignore`)
  const above: Rules | undefined = text === undefined ? around.above : addRules(around.above, own, text)
  return { ...around, above }
}

/** Records what exists but is not covered, so that it does not look new once it is covered. */
function leaveOut(folder: FolderNode, name: string, because: NotCoveredReason, looked: Looked): NotCoveredReason {
  if (folder.skipped.get(name) === because) return because
  forget(folder, name, looked)
  folder.skipped.set(name, because)
  looked.moved = true
  return because
}

function forget(folder: FolderNode, name: string, looked: Looked): void {
  if (folder.skipped.delete(name)) looked.moved = true
  const node = folder.files.get(name)
  if (node !== undefined) {
    folder.files.delete(name)
    looked.gone.push(childPath(folder, name))
    invalidate(folder)
  }
  forgetFolder(folder, name, looked)
}

function forgetFolder(folder: FolderNode, name: string, looked: Looked): void {
  const child = folder.folders.get(name)
  if (child === undefined) return
  for (const below of [...child.files.keys(), ...child.folders.keys()]) forget(child, below, looked)
  folder.folders.delete(name)
  looked.moved = true
  invalidate(folder)
}
