// What a commit of a person's repository contains at a path. Read as data.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { Committed } from "../../plan/checkout.ts"
import { isOid, oidOf, parseTree, type TreeEntry } from "../objects/object.ts"
import type { ReadObject } from "./project-objects.ts"

/** Contract: undefined if unknown: an object is missing, large or damaged, or the path is a submodule. */
export type CommitFiles = (commit: string, path: string) => Committed | undefined

export function commitFiles(read: ReadObject): CommitFiles {
  const trees = new Map<string, TreeEntry[] | undefined>()
  const entriesOf = (oid: string) => {
    if (!trees.has(oid)) trees.set(oid, readTree(read, oid))
    return trees.get(oid)
  }
  return (commit, path) => {
    const tree = treeOf(read, commit)
    let at: TreeEntry | undefined = tree === undefined ? undefined : { mode: "40000", name: "", oid: tree }
    if (at === undefined) return undefined
    for (const name of path.split("/")) {
      if (at.mode !== "40000") return { kind: "absent" }
      const entries: TreeEntry[] | undefined = entriesOf(at.oid)
      if (entries === undefined) return undefined
      at = entries.find((entry) => entry.name === name)
      if (at === undefined) return { kind: "absent" }
    }
    return committedAs(read, at)
  }
}

/** The name of an object in a repository that uses SHA-1, or SHA-256. */
const NAME = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The folder that a commit contains. */
export function treeOf(read: ReadObject, commit: string): string | undefined {
  const text = NAME.test(commit) ? read("commit", commit)?.toString("latin1") : undefined
  const tree = /^tree ([0-9a-f]+)$/m.exec(text ?? "")?.[1]
  return tree?.length === commit.length ? tree : undefined
}

/** Undefined if it cannot be read. */
export function readTree(read: ReadObject, oid: string): TreeEntry[] | undefined {
  const data = read("tree", oid)
  try {
    return data && parseTree(data, oid.length / 2)
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

function committedAs(read: ReadObject, { mode, oid: stored }: TreeEntry): Committed | undefined {
  if (mode === "40000") return { kind: "folder" }
  if (mode !== "120000" && !mode.startsWith("100")) return undefined
  const oid = isOid(stored) ? stored : ourName(read("blob", stored))
  if (oid === undefined) return undefined
  return mode === "120000"
    ? { kind: "link", oid, stored }
    : { kind: "file", oid, stored, executable: mode === "100755" }
}

/** A repository that uses SHA-256 has other names for the same content. */
function ourName(content: Buffer | undefined): string | undefined {
  return content && oidOf("blob", content)
}
