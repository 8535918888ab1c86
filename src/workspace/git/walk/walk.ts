// Finds what changed on disk since the last look. In process: git never walks the workspace, so nothing that a
// repository configures (fsmonitor, filters, hooks, attributes) can run. Folders with an unchanged stat are not listed
// again; every covered file is stat'ed.
import fs, { type Dirent } from "node:fs"
import { addRules, isIgnored, type Rules } from "../../../ignore/rules.ts"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import type { NotCoveredReason } from "../../../model/move/file-outcomes.ts"
import { mayHaveLostBytes, pathFromBytes } from "../../../model/text/path-bytes.ts"
import { diskPath, isGitName, type WorkspaceSettings } from "../../port.ts"
import type { Stat } from "../bulk/stat-rows.ts"
import { isStaged } from "../disk/stage-name.ts"
import { excludeText, type Project, projectAt, readIgnoreFile } from "../project/project.ts"
import type { Includes } from "./include.ts"
import { type FolderRules, personRules } from "./rules-around.ts"
import { kindOf, type StatSource } from "./stat-source.ts"
import { childPath, type FolderNode, invalidate, isSameListing, isUnchanged, newFolder } from "./tree-index.ts"

/** A file whose content must be read. */
export type Unread = { folder: FolderNode; name: string; stat: Stat }

export type Walked = {
  unread: Unread[]
  gone: string[]
  repositories: { project: Project; path: string }[]
  moved: boolean
}

export type WalkContext = {
  root: string
  settings: WorkspaceSettings
  includes: Includes
  personIgnore: string | undefined
  /** Absolute; never entered. */
  ownHome: string
  at: number
  stats: StatSource
  /** Called between folders, so that a long walk does not block the process. */
  breathe: () => Promise<void> | undefined
}

/** Contract: changes the index only; `unread` files still have to be read. */
export async function walk(context: WalkContext, start: FolderNode, around: FolderRules): Promise<Walked> {
  const result: Walked = { unread: [], gone: [], repositories: [], moved: false }
  let files = 0
  const { root, settings } = context

  async function visit(folder: FolderNode, stat: Stat, { above, project, ignored }: FolderRules): Promise<void> {
    const absolute = folder.path === "" ? root : `${root}/${folder.path}`
    const wasListed = isSameListing(folder, stat)
    let entries = wasListed ? undefined : list(root, folder.path)
    if (entries === "unreadable") return leaveOut(folder)
    if (entries !== undefined)
      folder.isRepository = folder.path !== "" && entries.some((entry) => entry.name === ".git")
    if (folder.isRepository) {
      const own = projectAt(absolute)
      if (own === undefined) folder.isRepository = false
      else {
        project = own
        above = addRules(personRules(context, absolute, own), absolute, excludeText(own) ?? Buffer.alloc(0))
        ignored = false
        result.repositories.push({ project: own, path: folder.path })
      }
    }
    const rules = rulesIn(folder, absolute, above, entries)
    if (rules.changed && entries === undefined) entries = list(root, folder.path)
    if (entries === "unreadable") return leaveOut(folder)
    if (entries !== undefined) relist(folder, absolute, entries, { above: rules.now, project, ignored }, stat)
    folder.perm = stat.mode & 0o7777

    files += folder.files.size
    if (files > settings.maxFiles && !settings.allowAny) {
      throw new RetconError({ code: "too-many-files", folder: root, files, limit: settings.maxFiles })
    }
    try {
      for (const name of folder.files.keys()) checkFile(folder, name, project)
      for (const [name, because] of folder.skipped)
        if (because === "large" || because === "unreadable") checkFile(folder, name, project)
      for (const child of folder.folders.values()) context.stats(child.path)
    } catch (error) {
      if (!isForbidden(error)) throw error
      return leaveOut(folder)
    }
    const pause = context.breathe()
    if (pause !== undefined) await pause
    for (const [name, child] of folder.folders) {
      const childStat = context.stats(child.path)
      if (childStat === undefined || kindOf(childStat) !== "folder") dropFolder(folder, name)
      else {
        if (child.perm !== (childStat.mode & 0o7777)) result.moved = true
        const childIgnored = ignored || isIgnored(rules.now, absolute, name, true)
        await visit(child, childStat, { above: rules.now, project, ignored: childIgnored })
      }
    }
  }

  /** A folder that may not be read is recorded, so that its contents do not look deleted. */
  function leaveOut(folder: FolderNode): void {
    const name = folder.path.slice(folder.path.lastIndexOf("/") + 1)
    if (folder.parent === undefined)
      throw new RetconError({ code: "io", path: root, problem: "the folder cannot be read" })
    dropFolder(folder.parent, name)
    folder.parent.skipped.set(name, "unreadable")
    folder.parent.listedAt = -1
  }

  function relist(folder: FolderNode, absolute: string, entries: Entry[], around: FolderRules, stat: Stat): void {
    const seen = new Set<string>()
    const skipped = new Map<string, NotCoveredReason>()
    for (const { name, entry } of entries) {
      if (isGitName(name) || isStaged(name)) continue
      const known = folder.files.has(name) || folder.folders.has(name)
      const isFolder = entry.isDirectory()
      const path = childPath(folder, name)
      if (
        (!known && isLeftOut(context, around, absolute, name, isFolder)) ||
        (isFolder && `${root}/${path}` === context.ownHome)
      ) {
        skipped.set(name, "ignored")
        continue
      }
      if (isTooLong(root, path, isFolder)) {
        skipped.set(name, "long")
        continue
      }
      if (isFolder) {
        if (folder.files.delete(name)) invalidate(folder)
        if (!folder.folders.has(name)) {
          folder.folders.set(name, newFolder(folder, path))
          result.moved = true
          invalidate(folder)
        }
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        if (folder.folders.has(name)) dropFolder(folder, name)
        if (!folder.files.has(name)) folder.files.set(name, newFile())
      } else {
        skipped.set(name, specialKind(entry))
        continue
      }
      seen.add(name)
    }
    for (const name of folder.files.keys()) if (!seen.has(name)) dropFile(folder, name)
    for (const name of folder.folders.keys()) if (!seen.has(name)) dropFolder(folder, name)
    if (!isSameMap(skipped, folder.skipped)) result.moved = true
    folder.skipped = skipped
    folder.mtime = stat.mtimeMs
    folder.ctime = stat.ctimeMs
    folder.inode = stat.ino
    folder.listedAt = context.at
  }

  function checkFile(folder: FolderNode, name: string, project: Project | undefined): void {
    const path = childPath(folder, name)
    const stat = context.stats(path)
    const kind = stat && kindOf(stat)
    if (stat === undefined || (kind !== "file" && kind !== "link")) {
      folder.skipped.delete(name)
      dropFile(folder, name)
      return
    }
    const node = folder.files.get(name)
    if (node !== undefined && isUnchanged(node, stat)) return
    if (kind === "file" && isTooLarge(context, project, path, stat.size)) {
      if (folder.skipped.get(name) !== "large") result.moved = true
      folder.skipped.set(name, "large")
      dropFile(folder, name)
      return
    }
    if (folder.skipped.delete(name)) result.moved = true
    result.unread.push({ folder, name, stat })
  }

  function dropFile(folder: FolderNode, name: string): void {
    const node = folder.files.get(name)
    if (node === undefined) return
    folder.files.delete(name)
    if (node.oid === "") return
    result.gone.push(childPath(folder, name))
    invalidate(folder)
  }

  function dropFolder(folder: FolderNode, name: string): void {
    const child = folder.folders.get(name)
    if (child === undefined) return
    for (const below of child.files.keys()) dropFile(child, below)
    for (const below of child.folders.keys()) dropFolder(child, below)
    folder.folders.delete(name)
    result.moved = true
    invalidate(folder)
  }

  await visit(start, fs.lstatSync(diskPath(root, start.path)), around)
  return result
}

function isSameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

/** The folder can be listed, but nothing in it can be stat'ed. */
function isForbidden(error: unknown): boolean {
  const code = errno(error)
  return code === "EACCES" || code === "EPERM"
}

type Entry = { name: string; entry: Dirent | Dirent<Buffer> }

function list(root: string, path: string): Entry[] | "unreadable" {
  const onDisk = diskPath(root, path)
  let entries: Dirent[]
  try {
    entries = fs.readdirSync(onDisk, { withFileTypes: true })
  } catch (error) {
    const code = errno(error)
    if (code === "EACCES" || code === "EPERM") return "unreadable"
    if (code === "ENOENT" || code === "ENOTDIR") return []
    throw error
  }
  if (!entries.some((entry) => mayHaveLostBytes(entry.name)))
    return entries.map((entry) => ({ name: entry.name, entry }))
  const raw = fs.readdirSync(onDisk, { withFileTypes: true, encoding: "buffer" })
  return raw.map((entry) => ({ name: pathFromBytes(entry.name), entry }))
}

function rulesIn(folder: FolderNode, absolute: string, above: Rules | undefined, entries: Entry[] | undefined) {
  const has = entries ? entries.some((entry) => entry.name === ".gitignore") : folder.ownRules !== undefined
  const own = has ? readIgnoreFile(`${absolute}/.gitignore`) : undefined
  const sameText = own === undefined ? folder.ownRules === undefined : folder.ownRules?.equals(own) === true
  if (folder.listedAt >= 0 && sameText && sameRules(folder.above, above)) return { now: folder.rules, changed: false }
  folder.above = above
  folder.ownRules = own
  folder.rules = own === undefined ? above : addRules(above, absolute, own)
  return { now: folder.rules, changed: true }
}

/** The rule chain of a nested repository is rebuilt on each walk, so its text is compared. */
function sameRules(a: Rules | undefined, b: Rules | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined) return false
  return a.base === b.base && a.text.equals(b.text) && sameRules(a.above, b.above)
}

export function isLeftOut(
  context: WalkContext,
  around: FolderRules,
  folder: string,
  name: string,
  isFolder: boolean,
): boolean {
  if (!around.ignored && !isIgnored(around.above, folder, name, isFolder)) return false
  const absolute = `${folder}/${name}`
  if (context.includes.covers(absolute, isFolder)) return false
  if (around.project === undefined) return true
  const path = absolute.slice(around.project.top.length + 1)
  const { files, folders } = around.project.tracked()
  return !(isFolder ? folders.has(path) : files.has(path))
}

/** How many bytes of path the system takes, with the NUL at the end. Folders can be nested deeper than that. */
const LONGEST_PATH = process.platform === "linux" ? 4096 : 1024
/** What is looked for in every folder must fit too. */
const LONGEST_OWN = "/.gitignore".length

export function isTooLong(root: string, path: string, isFolder: boolean): boolean {
  // A character has at most three bytes.
  if ((root.length + path.length) * 3 + LONGEST_OWN + 2 <= LONGEST_PATH) return false
  return Buffer.from(diskPath(root, path)).length + (isFolder ? LONGEST_OWN : 0) >= LONGEST_PATH
}

/** Node cannot read a larger file at once. */
const MOST_BYTES = 2 ** 31 - 1

export function isTooLarge(context: WalkContext, project: Project | undefined, path: string, size: number): boolean {
  return size > MOST_BYTES || (size > context.settings.maxFileSize && !isTracked(context, project, path))
}

function isTracked(context: WalkContext, project: Project | undefined, path: string): boolean {
  return project?.tracked().files.has(`${context.root}/${path}`.slice(project.top.length + 1)) === true
}

function specialKind(entry: Entry["entry"]): NotCoveredReason {
  return entry.isSocket() ? "socket" : entry.isFIFO() ? "pipe" : "device"
}

export function newFile() {
  return { kind: "file" as const, oid: "", readAt: -1, size: -1, mtime: -1, ctime: -1, inode: -1, perm: 0 }
}
