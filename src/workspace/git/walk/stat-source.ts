// Where the walk gets its stats: from rows read in bulk for all known paths, otherwise one call per path.
import fs from "node:fs"
import { isEscaped } from "../../../model/text/path-bytes.ts"
import { diskPath } from "../../port.ts"
import type { StatMany } from "../bulk/stat-many.ts"
import type { Stat } from "../bulk/stat-rows.ts"
import { rowAt } from "../bulk/stat-rows.ts"
import { lstat } from "../disk/disk.ts"
import { everyFolder, type FolderNode } from "./tree-index.ts"

/** Undefined: nothing is there. */
export type StatSource = (path: string) => Stat | undefined

export function kindOf({ mode }: Stat): "file" | "link" | "folder" | "other" {
  const kind = mode & fs.constants.S_IFMT
  if (kind === fs.constants.S_IFREG) return "file"
  if (kind === fs.constants.S_IFLNK) return "link"
  return kind === fs.constants.S_IFDIR ? "folder" : "other"
}

export function directStats(root: string): StatSource {
  return (path) => lstat(diskPath(root, path))
}

/**
 * The known paths in the order in which the walk needs them. Must be rebuilt whenever the index gains or loses paths.
 */
export function knownPaths(root: FolderNode): string[] {
  const paths: string[] = []
  everyFolder(root, (folder) => {
    if (folder.path !== "") paths.push(folder.path)
    const prefix = folder.path === "" ? "" : `${folder.path}/`
    for (const name of folder.files.keys()) paths.push(prefix + name)
  })
  return paths
}

/** Contract: in the order of `list`, each path costs one comparison; any other path is read from disk. */
export async function bulkStats(
  many: StatMany,
  root: string,
  list: string[],
  breathe: () => Promise<void> | undefined,
): Promise<StatSource> {
  const rows = await many(root, list, breathe)
  const direct = directStats(root)
  let at = 0
  let places: Map<string, number> | undefined
  return (path) => {
    let row: number | undefined = at
    if (list[at] !== path) {
      places ??= new Map(list.map((known, i) => [known, i]))
      row = places.get(path)
      if (row === undefined) return direct(path)
    }
    at = row + 1
    const found = rowAt(rows, row)
    if (found === "unknown" || (found === "nothing there" && isEscaped(path))) return direct(path)
    return found === "nothing there" ? undefined : found
  }
}
