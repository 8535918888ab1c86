// Where the agent works, and whether a path is inside. Links are resolved before anything is judged.
import { readlink, realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { errno } from "../../model/failure/errno.ts"

export interface WorkRoot {
  /** The workspace, absolute. Relative paths start here, and commands run here. */
  folder: string
  /** Our own folder, outside the workspace, for output that was too long. Reading it needs no approval. */
  scratch: string
  /** For `~/`. Undefined: not expanded. */
  home?: string
  /** retcon's own home: only retcon writes there. */
  own?: string
}

export function absolute(root: WorkRoot, path: string): string {
  if (root.home !== undefined && (path === "~" || path.startsWith("~/"))) return join(root.home, path.slice(1))
  return resolve(root.folder, path)
}

/** As people read it: relative inside the workspace, absolute outside. */
export function shown(root: WorkRoot, path: string): string {
  const inside = relative(root.folder, path)
  return inside === "" ? "." : inside.startsWith("..") || isAbsolute(inside) ? path : inside
}

const MOST_LINKS = 40

/** Where a path really leads: links are resolved, even one whose target does not exist yet; the rest stays as it is. */
export async function realPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error) || links > MOST_LINKS) throw error
  }
  const target = await linkTarget(path)
  if (target !== undefined) return realPath(resolve(dirname(path), target), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(await realPath(parent, links), basename(path))
}

const resolved = new WeakMap<WorkRoot, Promise<RealWorkRoot>>()

export interface RealWorkRoot {
  folder: string
  scratch: string
  home: string | undefined
  own: string | undefined
}

/**
 * Where the folders of a work root really are. Determined once: if one becomes a link later, its target is outside, and
 * the person is asked.
 */
export function realWorkRoot(root: WorkRoot): Promise<RealWorkRoot> {
  const known = resolved.get(root)
  if (known !== undefined) return known
  const { home, own } = root
  const found = Promise.all([
    realPath(root.folder),
    realPath(root.scratch),
    home === undefined ? undefined : realPath(home),
    own === undefined ? undefined : realPath(own),
  ]).then(([folder, scratch, realHome, realOwn]) => ({ folder, scratch, home: realHome, own: realOwn }))
  resolved.set(root, found)
  found.catch(() => resolved.delete(root))
  return found
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    if (isMissing(error) || errno(error) === "EINVAL") return undefined
    throw error
  }
}

export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

export function isMissing(error: unknown): boolean {
  return errno(error) === "ENOENT" || errno(error) === "ENOTDIR"
}
