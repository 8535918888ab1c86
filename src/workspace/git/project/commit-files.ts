// What a commit of a person's repository contains at a path. Read as data.

import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { Committed } from "../../plan/checkout.ts"
import { isOid, parseTree, type TreeEntry } from "../objects/object.ts"
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
    const text = isOid(commit) ? read("commit", commit)?.toString("latin1") : undefined
    const tree = /^tree ([0-9a-f]{40})$/m.exec(text ?? "")?.[1]
    let at: TreeEntry | undefined = tree === undefined ? undefined : { mode: "40000", name: "", oid: tree }
    if (at === undefined) return undefined
    for (const name of path.split("/")) {
      if (at.mode !== "40000") return { kind: "absent" }
      const entries: TreeEntry[] | undefined = entriesOf(at.oid)
      if (entries === undefined) return undefined
      at = entries.find((entry) => entry.name === name)
      if (at === undefined) return { kind: "absent" }
    }
    return committedAs(at)
  }
}

/** Undefined if it cannot be read. */
export function readTree(read: ReadObject, oid: string): TreeEntry[] | undefined {
  const data = read("tree", oid)
  try {
    return data && parseTree(data)
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

function committedAs({ mode, oid }: TreeEntry): Committed | undefined {
  if (mode === "40000") return { kind: "folder" }
  if (mode === "120000") return { kind: "link", oid }
  return mode.startsWith("100") ? { kind: "file", oid, executable: mode === "100755" } : undefined
}
