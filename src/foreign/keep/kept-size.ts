// How much disk space the copies take.
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { ensureFolder, orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"
import { keptRoot } from "./kept-paths.ts"

/** Bytes, remembered from the last count if there is one. */
export function keptSize(home: string): number {
  const file = sizeFile(home)
  const known = Number(orNothing(() => readFileSync(file, "utf8")) ?? Number.NaN)
  if (Number.isSafeInteger(known)) return known
  const size = sizeOf(keptRoot(home))
  orNothing(() => ensureFolder(dirname(file)))
  replaceIfPossible(file, String(size))
  return size
}

/** Call after a change: the next `keptSize` counts again. */
export function forgetSize(home: string): void {
  orNothing(() => rmSync(sizeFile(home), { force: true }))
}

function sizeFile(home: string): string {
  return join(home, "cache", "kept-size")
}

function sizeOf(root: string): number {
  let size = 0
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const at = folder
    for (const entry of orNothing(() => readdirSync(at, { withFileTypes: true })) ?? []) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) size += orNothing(() => lstatSync(path).size) ?? 0
    }
  }
  return size
}
