// Which files inside a folder a tool call names, in whatever form.
import { realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative } from "node:path"
import { errno } from "../../../model/failure/retcon-error.ts"

/** The paths inside the folder, relative to it: both as named, and as what a write to them would really change. */
export function pathsInside(root: string, paths: readonly string[]): string[] {
  const real = realOf(root)
  const named = paths.flatMap((path) => [relative(root, path), relative(real, realOf(path))])
  return [...new Set(named)].filter((path) => isInside(path))
}

/** What a write to the path would change: follows links on the way, as far as the path exists. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (errno(error) === undefined) throw error
    const above = dirname(path)
    return above === path ? path : join(realOf(above), basename(path))
  }
}

function isInside(path: string): boolean {
  return path !== "" && path !== ".." && !path.startsWith("../") && !isAbsolute(path)
}
