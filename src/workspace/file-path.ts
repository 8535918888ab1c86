// Paths of workspace files: relative, "/" between names, and always well-formed text, whatever their bytes on disk.
import { RetconError } from "../model/failure/retcon-error.ts"
import { isEscaped, pathBytes } from "../model/text/path-bytes.ts"

/** What to pass to `fs`: text if that is exact, otherwise bytes. */
export function diskPath(root: string, path: string): string | Buffer {
  const joined = path === "" ? root : `${root}/${path}`
  return isEscaped(path) ? pathBytes(joined) : joined
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/")
  return slash < 0 ? "" : path.slice(0, slash)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** All folders above a path, nearest first, excluding the root. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) folders.push(folder)
  return folders
}

// Characters that some file systems ignore in names: ".g<zero width>it" opens ".git" there.
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** True for every spelling of `.git` that some file system treats as `.git`. */
export function isGitName(name: string): boolean {
  if (name.length < 4) return false
  const first = name.charCodeAt(0)
  if (first !== 46 && first !== 103 && first !== 71 && first < 0x80) return false
  const plain = name.replace(IGNORABLE, "").toLowerCase()
  return /^(\.git|git~1)[. ]*(:.*)?$/.test(plain)
}

/** Why we must never write a name; undefined if it is fine. */
export function unsafeName(name: string): string | undefined {
  if (name === "") return "an empty name"
  if (name === "." || name === "..") return "it leaves its folder"
  if (name.includes("/") || name.includes("\0")) return "a name with a separator"
  if (isGitName(name)) return "it is inside a .git folder"
  return undefined
}

/** Contract: throws `unsafe-path` for anything but a plain relative path below the root and outside every `.git`. */
export function checkPath(path: string): string {
  if (path.startsWith("/")) throw new RetconError({ code: "unsafe-path", path, problem: "it is not relative" })
  for (const name of path.split("/")) {
    const problem = unsafeName(name)
    if (problem !== undefined) throw new RetconError({ code: "unsafe-path", path, problem })
  }
  return path
}
