// The person's own repositories, read as data: where they are, what they ignore, branch and commit. Of their
// configuration we read only how names are stored and what is ignored. We never write or run anything in them.
import fs from "node:fs"
import nodePath, { dirname } from "node:path"
import { errno } from "../../../model/failure/retcon-error.ts"
import { pathFromBytes } from "../../../model/text/path-bytes.ts"
import type { Repository } from "../../port.ts"
import { lstat } from "../disk/disk.ts"
import { gitSetting } from "./git-config.ts"

export type Project = {
  /** The folder that contains `.git`, absolute. */
  top: string
  gitFolder: string
  commonFolder: string
  tracked(): Tracked
  /** The file with what is ignored in this repository instead of what the person ignores everywhere. */
  excludesFile(): string | undefined
}

/** The content of a small file, or undefined if there is none to read. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return fs.readFileSync(path)
  } catch (error) {
    const code = errno(error)
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR" || code === "EACCES" || code === "ELOOP")
      return undefined
    throw error
  }
}

/** A .gitignore counts only if it is a regular file: git does not follow links there either. */
export function readIgnoreFile(path: string): Buffer | undefined {
  const stat = lstat(path)
  return stat?.isFile() ? readIfThere(path) : undefined
}

/** The repository whose top this folder is, if any. */
export function projectAt(top: string): Project | undefined {
  const dotGit = nodePath.join(top, ".git")
  const stat = lstat(dotGit)
  if (stat === undefined) return undefined
  const gitFolder = stat.isFile() ? linkedFolder(top, dotGit) : dotGit
  if (gitFolder === undefined || !fs.existsSync(nodePath.join(gitFolder, "HEAD"))) return undefined
  const common = readIfThere(nodePath.join(gitFolder, "commondir"))?.toString().trim()
  const commonFolder = common ? nodePath.resolve(gitFolder, common) : gitFolder
  let tracked: Tracked | undefined
  let config: string | undefined
  const setting = (section: string, key: string) => {
    config ??= readIfThere(nodePath.join(commonFolder, "config"))?.toString() ?? ""
    return gitSetting(config, section, key)
  }
  return {
    top,
    gitFolder,
    commonFolder,
    tracked: () => {
      const nameLength = setting("extensions", "objectformat") === "sha256" ? 32 : 20
      tracked ??= readTracked(nodePath.join(gitFolder, "index"), nameLength)
      return tracked
    },
    excludesFile() {
      const named = setting("core", "excludesfile")
      return named === undefined || named.startsWith("~") ? undefined : nodePath.resolve(top, named)
    },
  }
}

function linkedFolder(top: string, dotGit: string): string | undefined {
  const named = /^gitdir: (.*?)[\r\n]*$/s.exec(readIfThere(dotGit)?.toString() ?? "")?.[1]
  return named ? nodePath.resolve(top, named) : undefined
}

/** The nearest repository at or above a folder. */
export function projectAround(folder: string): Project | undefined {
  for (let at = folder; ; at = nodePath.dirname(at)) {
    const project = projectAt(at)
    if (project !== undefined) return project
    if (nodePath.dirname(at) === at) return undefined
  }
}

export function excludeText(project: Project): Buffer | undefined {
  return readIgnoreFile(nodePath.join(project.commonFolder, "info", "exclude"))
}

/** Branch and commit, from its files; undefined for a repository that stores refs in another way. */
export function repositoryState(project: Project, path: string): Repository {
  const head = readIfThere(nodePath.join(project.gitFolder, "HEAD"))?.toString().trim() ?? ""
  if (!head.startsWith("ref: "))
    return { path, branch: undefined, commit: /^[0-9a-f]{40,64}$/.test(head) ? head : undefined }
  const name = head.slice(5)
  return { path, branch: name.replace(/^refs\/heads\//, ""), commit: refCommit(project, name) }
}

function refCommit(project: Project, name: string): string | undefined {
  if (!/^refs\/[^\0]*$/.test(name) || name.split("/").includes("..")) return undefined
  for (const folder of [project.gitFolder, project.commonFolder]) {
    const loose = readIfThere(nodePath.join(folder, name))?.toString().trim()
    if (loose && /^[0-9a-f]{40,64}$/.test(loose)) return loose
  }
  const packed = readIfThere(nodePath.join(project.commonFolder, "packed-refs"))?.toString() ?? ""
  for (const line of packed.split("\n")) if (line.endsWith(` ${name}`)) return line.slice(0, line.indexOf(" "))
  return undefined
}

type Tracked = { files: ReadonlySet<string>; folders: ReadonlySet<string> }

const NOTHING: Tracked = { files: new Set(), folders: new Set() }

/**
 * Which paths a person's repository tracks: its index file, read as data. Tracked files are covered even if they are
 * ignored or large. Only the names are used: the content that it names may have gone through filters. Contract: an
 * index that is missing, damaged or of an unknown version tracks nothing. `nameLength`: of an object's name in bytes,
 * 20 or 32. Of a split index, what only its shared part has counts as tracked, even if it was removed since.
 */
export function readTracked(file: string, nameLength = 20): Tracked {
  const own = readNames(file, nameLength)
  const shared =
    own.shared === undefined ? [] : readNames(`${dirname(file)}/sharedindex.${own.shared}`, nameLength).names
  // An entry that only updates a shared one has no name.
  const names = [...own.names, ...shared].filter((name) => name !== "")
  return names.length === 0 ? NOTHING : withFolders(names)
}

type IndexNames = { names: string[]; shared?: string | undefined }

function readNames(file: string, nameLength: number): IndexNames {
  let index: Buffer
  try {
    index = fs.readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return { names: [] }
    throw error
  }
  if (index.length < 32 || index.toString("latin1", 0, 4) !== "DIRC") return { names: [] }
  const version = index.readUInt32BE(4)
  return version < 2 || version > 4 ? { names: [] } : parseNames(index, version, nameLength)
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOTDIR", "EISDIR"].includes(errno(error) ?? "")
}

function parseNames(index: Buffer, version: number, nameLength: number): IndexNames {
  const names: string[] = []
  /** What an entry has before its name: ten numbers, the object's name, flags. */
  const fixed = 40 + nameLength + 2
  let previous = Buffer.alloc(0)
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0 && at + fixed <= index.length; left--) {
    const start = at
    const flags = index.readUInt16BE(at + fixed - 2)
    at += flags & 0x4000 ? fixed + 2 : fixed
    let kept = 0
    if (version === 4) {
      let byte = index[at++] ?? 0
      kept = byte & 0x7f
      while (byte & 0x80) {
        byte = index[at++] ?? 0
        kept = (kept + 1) * 128 + (byte & 0x7f)
      }
    }
    const end = index.indexOf(0, at)
    if (end < 0) return { names }
    const own = index.subarray(at, end)
    const name = version === 4 ? Buffer.concat([previous.subarray(0, previous.length - kept), own]) : own
    names.push(pathFromBytes(name))
    previous = Buffer.from(name)
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7)
  }
  return { names, shared: sharedIndex(index, at, nameLength) }
}

/** The name of the shared part, from the extension that a split index has after its entries. */
function sharedIndex(index: Buffer, start: number, nameLength: number): string | undefined {
  for (let at = start; at + 8 + nameLength <= index.length; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString("latin1", at, at + 4) === "link") return index.toString("hex", at + 8, at + 8 + nameLength)
  }
  return undefined
}

function withFolders(names: string[]): Tracked {
  const folders = new Set<string>()
  for (const name of names) {
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const folder = name.slice(0, at)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return { files: new Set(names), folders }
}
