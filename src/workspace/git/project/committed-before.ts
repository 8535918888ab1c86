// The content in one commit of the files in which another commit differs from it. Read as data.
import nodePath from "node:path"
import type { CommitRange, FileBytes } from "../../port.ts"
import type { TreeEntry } from "../objects/object.ts"
import { readTree, treeOf } from "./commit-files.ts"
import { reading } from "./new-commits.ts"
import { projectAround } from "./project.ts"
import type { ReadObject } from "./project-objects.ts"

const FOLDER = "40000"
const SUBMODULE = "160000"
/** What git stores in place of a large file that is kept elsewhere: never the file's own bytes. */
const POINTER = "version https://git-lfs.github.com/spec/"

/** A repository may be crafted so that reading it never ends: a folder that contains itself. */
const MOST_FOLDERS = 20_000
const LONGEST_PATH = 4096

/** Contract: leaves out what cannot be read, links and submodules. Paths are relative to `root`. */
export function committedBefore(root: string, { from, to }: CommitRange): FileBytes[] {
  const project = projectAround(root)
  if (project === undefined) return []
  const above = nodePath.relative(project.top, root).split(nodePath.sep).filter(Boolean)
  return reading(project, (read) => {
    let folders = MOST_FOLDERS
    const bounded: ReadObject = (type, oid) => (type === "tree" && folders-- <= 0 ? undefined : read(type, oid))
    const [was, is] = [from, to].map((commit) => folderIn(read, commit, above))
    return was === undefined || is === undefined ? [] : [...changed(bounded, "", was, is)]
  })
}

function folderIn(read: ReadObject, commit: string, folders: readonly string[]): TreeEntry | undefined {
  const oid = treeOf(read, commit)
  let at = oid === undefined ? undefined : { mode: FOLDER, name: "", oid }
  for (const folder of folders) {
    const entries = at === undefined ? undefined : readTree(read, at.oid)
    at = entries?.find(({ name, mode }) => name === folder && mode === FOLDER)
  }
  return at
}

function* changed(
  read: ReadObject,
  path: string,
  was: TreeEntry | undefined,
  is: TreeEntry | undefined,
): Generator<FileBytes> {
  if ((was?.oid === is?.oid && was?.mode === is?.mode) || path.length > LONGEST_PATH) return
  if (was?.mode === FOLDER || is?.mode === FOLDER) {
    const [before, after] = [was, is].map((entry) => (entry?.mode === FOLDER ? readTree(read, entry.oid) : []))
    // A folder that cannot be read says nothing about its files: they must not count as removed.
    if (before === undefined || after === undefined) return
    for (const name of new Set([...before, ...after].map((entry) => entry.name))) {
      const named = (entry: TreeEntry) => entry.name === name
      yield* changed(read, path === "" ? name : `${path}/${name}`, before.find(named), after.find(named))
    }
  }
  if (was?.mode !== FOLDER) yield* fileAt(read, path, was, is)
}

function* fileAt(
  read: ReadObject,
  path: string,
  was: TreeEntry | undefined,
  is: TreeEntry | undefined,
): Generator<FileBytes> {
  if (was === undefined) {
    if (is !== undefined && is.mode !== FOLDER && is.mode !== SUBMODULE) yield { path, bytes: null }
    return
  }
  const bytes = was.mode.startsWith("100") ? read("blob", was.oid) : undefined
  if (bytes === undefined || bytes.toString("latin1", 0, POINTER.length) === POINTER) return
  yield { path, bytes, ...(was.mode !== is?.mode && { perm: was.mode === "100755" ? 0o755 : 0o644 }) }
}
