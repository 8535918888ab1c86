// Where snapshots are: <home>/workspaces/<id>. The file `root` in a store names its folder. A store keeps its id when
// its folder moves, so the sessions that name it find their snapshots wherever they are.
import { createHash } from "node:crypto"
import fs from "node:fs"
import nodePath from "node:path"
import { errno } from "../../../model/failure/retcon-error.ts"
import { temporaryIn } from "../disk/temporary.ts"
import { readIfThere } from "./project.ts"

const ID = /^[0-9a-f]{32}$/
/** The file in a store that names the store whose objects it shares. */
const SHARED = "objects-of"

export function storesFolder(home: string): string {
  return nodePath.join(home, "workspaces")
}

/** The id of a folder's store; undefined if it has none yet. */
export function storeOf(home: string, root: string): string | undefined {
  const usual = idFor(root, 0)
  if (rootOf(home, usual) === root) return usual
  return storesOf(home, root)[0]
}

/** All of a folder's stores: one that moved to where another used to be has two. The usual one comes first. */
export function storesOf(home: string, root: string): string[] {
  const usual = idFor(root, 0)
  return stores(home)
    .filter((id) => rootOf(home, id) === root)
    .sort((a, b) => Number(b === usual) - Number(a === usual) || (a < b ? -1 : 1))
}

/** The id of a new store for a folder without one. The usual id may have moved away with an earlier folder. */
export function newStore(home: string, root: string): string {
  for (let n = 0; ; n++) {
    const id = idFor(root, n)
    if (!fs.existsSync(nodePath.join(storesFolder(home), id, "root"))) return id
  }
}

/** Sets the folder of a store. Contract: if interrupted, the store has the old folder or the new one. */
export function setRoot(home: string, id: string, root: string): void {
  const file = nodePath.join(storesFolder(home), id, "root")
  const temporary = temporaryIn(nodePath.dirname(file))
  try {
    fs.writeFileSync(temporary, root, { mode: 0o600, flush: true })
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * A second store with the same snapshots, for another folder. A store has only one folder, or a restore that was
 * interrupted in one folder would be finished in the other. Contract: complete, or absent. Objects never change, so
 * they are shared.
 */
export function copyStore(home: string, id: string, root: string): string {
  const copy = newStore(home, root)
  const all = storesFolder(home)
  const temporary = temporaryIn(all)
  try {
    fillCopy(nodePath.join(all, id), temporary, root)
    fs.renameSync(temporary, nodePath.join(all, copy))
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true })
    throw error
  }
  return copy
}

/** A new store for a copy of a folder: with its own journal and indexes, and the objects of another store. */
export function shareStore(home: string, id: string, root: string): string {
  const own = newStore(home, root)
  const folder = nodePath.join(storesFolder(home), own)
  for (const part of ["refs", "indexes"]) fs.mkdirSync(`${folder}/${part}`, { recursive: true, mode: 0o700 })
  fs.writeFileSync(`${folder}/${SHARED}`, id, { mode: 0o600 })
  setRoot(home, own, root)
  return own
}

/** The store whose objects a store shares; undefined if it has its own. */
export function sharedBy(home: string, id: string): string | undefined {
  const shared = readIfThere(nodePath.join(storesFolder(home), id, SHARED))?.toString()
  return shared !== undefined && ID.test(shared) ? shared : undefined
}

function fillCopy(from: string, to: string, root: string): void {
  for (const part of ["objects/pack", "refs", "indexes"])
    fs.mkdirSync(`${to}/${part}`, { recursive: true, mode: 0o700 })
  for (const entry of fs.readdirSync(`${from}/objects`, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = nodePath.join(entry.parentPath, entry.name)
    const target = to + file.slice(from.length)
    fs.mkdirSync(nodePath.dirname(target), { recursive: true, mode: 0o700 })
    shareFile(file, target)
  }
  fs.copyFileSync(`${from}/HEAD`, `${to}/HEAD`)
  fs.writeFileSync(`${to}/root`, root, { mode: 0o600, flush: true })
}

function shareFile(file: string, target: string): void {
  try {
    fs.linkSync(file, target)
  } catch (error) {
    if (errno(error) === "ENOENT") throw error
    fs.copyFileSync(file, target)
  }
}

/** The folder that a store belongs to. */
export function rootOf(home: string, id: string): string | undefined {
  return readIfThere(nodePath.join(storesFolder(home), id, "root"))?.toString()
}

export function stores(home: string): string[] {
  try {
    return fs.readdirSync(storesFolder(home)).filter((name) => ID.test(name))
  } catch (error) {
    if (errno(error) === "ENOENT") return []
    throw error
  }
}

function idFor(root: string, n: number): string {
  const text = n === 0 ? root : `${root}\0${n}`
  return createHash("sha256").update(text).digest("hex").slice(0, 32)
}
