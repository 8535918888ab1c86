// The person's own repositories, read as data: where they are, what they ignore, branch and commit. Of their
// configuration we read only how names are stored and what is ignored. We never write or run anything in them.
import fs from "node:fs"
import nodePath from "node:path"
import { errno } from "../../../model/failure/errno.ts"
import type { Repository } from "../../port.ts"
import { lstat } from "../disk/lstat.ts"
import { gitSetting } from "./git-config.ts"
import { readTracked, type Tracked } from "./project-index.ts"

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
