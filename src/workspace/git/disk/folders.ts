// Folders of the workspace, opened component by component without following a link. Every write of a restore goes
// through one, so that a folder that someone meanwhile swaps for a link leads nowhere.
import fs, { type Stats } from "node:fs"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { pathFromBytes } from "../../../model/text/path-bytes.ts"
import { diskPath, nameOf, parentOf } from "../../port.ts"
import { lstat, type ShownPath } from "./disk.ts"
import { handlePath, hasHandles, O_PATH } from "./handles.ts"

export type Folder = {
  path: string
  /** A name in this very folder, wherever the folder may be by now. */
  pathOf(name: string): ShownPath
  names(): string[]
  /** Whether this folder is still at its path in the workspace, with no link on the way. */
  stands(): boolean
  /** For fsync. The caller closes it. */
  open(): number
  close(): void
}

export type Folders = {
  /** Contract: undefined if there is no such folder. Throws `unsafe-path` if a link is on the way. */
  at(path: string): Folder | undefined
  /** All folders opened for a path and not yet closed, even one that has since been moved away. */
  known(path: string): Folder[]
  /** Paths that must be spelt exactly, because another path here differs only in case. */
  spelt: ReadonlySet<string>
  close(): void
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
const MOST_OPEN = 40

/** Contract: at most 40 folders are open at a time, however many there are. */
export function openFolders(root: string, spelt: ReadonlySet<string> = new Set()): Folders {
  const open = new Map<string, Folder>()
  const moved: Folder[] = []

  function remember(path: string, folder: Folder): Folder {
    open.set(path, folder)
    const [oldest] = open.keys()
    if (open.size > MOST_OPEN && oldest !== undefined) {
      open.get(oldest)?.close()
      open.delete(oldest)
    }
    return folder
  }

  function at(path: string): Folder | undefined {
    const known = open.get(path)
    const stands = known?.stands()
    open.delete(path)
    if (known !== undefined && stands === true) return remember(path, known)
    if (known !== undefined) moved.push(known)
    const opened = isFewDeep(path) ? openBelow(path) : openFolder(root, path, spelt)
    return opened && remember(path, opened)
  }

  /** Opens it within its parent, which is usually open already. */
  function openBelow(path: string): Folder | undefined {
    const above = at(parentOf(path))
    return above && openIn(root, above, path, spelt)
  }

  return {
    spelt,
    at,
    known: (path) => [...open.values(), ...moved].filter((folder) => folder.path === path),
    close() {
      for (const folder of [...open.values(), ...moved]) folder.close()
      open.clear()
      moved.length = 0
    },
  }
}

/** Few enough levels that opening the parents does not close a folder in use. */
function isFewDeep(path: string): boolean {
  return hasHandles && path !== "" && path.split("/").length < MOST_OPEN / 2
}

function openIn(root: string, above: Folder, path: string, spelt: ReadonlySet<string>): Folder | undefined {
  const name = nameOf(path)
  const { onDisk } = above.pathOf(name)
  const stat = lstat(onDisk)
  if (stat?.isSymbolicLink()) throw new RetconError({ code: "unsafe-path", path, problem: `${path} is a link` })
  if (!stat?.isDirectory() || (spelt.has(path) && !above.names().includes(name))) return undefined
  const handle = openHandle(onDisk)
  if (handle === undefined) return undefined
  const own = statHandle(handle)
  const there = diskPath(root, path)
  const stands = () => isSame(lstat(there), own) && (isCalled(handle, there) || above.stands())
  return folderAt(path, root, handlePath(handle), stands, () => fs.closeSync(handle))
}

type Component = { onDisk: string | Buffer; stat: Stats }

function openFolder(root: string, path: string, spelt: ReadonlySet<string>): Folder | undefined {
  const way = wayTo(root, path, spelt)
  if (way === undefined) return undefined
  const last = way.at(-1) as Component
  const stands = () => way.every(({ onDisk, stat }) => isSame(lstat(onDisk), stat))
  if (!hasHandles) return folderAt(path, root, last.onDisk, stands, () => undefined)
  const handle = openWay(way)
  if (handle === undefined) return undefined
  return folderAt(path, root, handlePath(handle), stands, () => fs.closeSync(handle))
}

/** Every folder from the root down to the path, as they are now. */
function wayTo(root: string, path: string, spelt: ReadonlySet<string>): Component[] | undefined {
  const way: Component[] = [{ onDisk: root, stat: fs.statSync(root) }]
  let at = ""
  for (const name of path === "" ? [] : path.split("/")) {
    const above = way.at(-1) as Component
    at = at === "" ? name : `${at}/${name}`
    const onDisk = diskPath(root, at)
    const stat = lstat(onDisk)
    if (stat?.isSymbolicLink()) throw new RetconError({ code: "unsafe-path", path, problem: `${at} is a link` })
    if (stat === undefined || !stat.isDirectory()) return undefined
    if (spelt.has(at) && !namesIn(above.onDisk).includes(name)) return undefined
    way.push({ onDisk, stat })
  }
  return way
}

/** Opens that way again, handle by handle. Undefined: it has changed. */
function openWay(way: Component[]): number | undefined {
  let handle: number | undefined
  for (const { onDisk, stat } of way) {
    const name = handle === undefined ? onDisk : inside(handle, onDisk)
    let next: number | undefined
    try {
      next = openHandle(name)
    } finally {
      if (handle !== undefined) fs.closeSync(handle)
    }
    if (next === undefined) return undefined
    handle = next
    if (!isSame(statHandle(handle), stat)) {
      fs.closeSync(handle)
      return undefined
    }
  }
  return handle
}

function openHandle(path: string | Buffer): number | undefined {
  try {
    return fs.openSync(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    const code = errno(error)
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined
    throw error
  }
}

/** Contract: if it cannot be examined, it is closed. */
function statHandle(handle: number): Stats {
  try {
    return fs.fstatSync(handle)
  } catch (error) {
    fs.closeSync(handle)
    throw error
  }
}

/**
 * Whether the system says that the folder is at exactly that path: then no link is on the way. Some systems cannot say.
 */
function isCalled(handle: number, path: string | Buffer): boolean {
  try {
    return fs.readlinkSync(handlePath(handle), { encoding: "buffer" }).equals(Buffer.from(path))
  } catch (error) {
    // It was closed meanwhile, to limit how many are open.
    if (errno(error) === "ENOENT") return false
    throw error
  }
}

function inside(handle: number, onDisk: string | Buffer): Buffer {
  const bytes = Buffer.from(onDisk)
  const name = bytes.subarray(bytes.lastIndexOf(0x2f) + 1)
  return Buffer.concat([Buffer.from(`${handlePath(handle)}/`), name])
}

function folderAt(path: string, root: string, base: string | Buffer, stands: () => boolean, close: () => void): Folder {
  const text = base.toString()
  return {
    path,
    stands,
    close,
    pathOf: (name) => ({
      onDisk: Buffer.isBuffer(base)
        ? Buffer.concat([base, Buffer.from("/"), Buffer.from(diskName(name))])
        : diskPath(text, name),
      shown: `${root}/${path === "" ? name : `${path}/${name}`}`,
    }),
    names: () => namesIn(base),
    open: () => fs.openSync(base, O_RDONLY | O_DIRECTORY),
  }
}

function diskName(name: string): string | Buffer {
  return Buffer.from(diskPath("", name)).subarray(1)
}

/** Contract: none if the folder does not exist or cannot be read. */
export function namesIn(folder: string | Buffer): string[] {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" }).map(pathFromBytes)
  } catch (error) {
    const code = errno(error)
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") return []
    throw error
  }
}

function isSame(now: Stats | undefined, then: Stats): boolean {
  return now?.isDirectory() === true && now.ino === then.ino && now.dev === then.dev
}
