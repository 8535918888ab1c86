// Removes a copy, with its store. Contract: follows no link, and removes nothing without our mark or outside our own folder.
import fs from "node:fs"
import nodePath from "node:path"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { type Project, projectAt, readIfThere, repositoryState } from "../project/project.ts"
import { openProjectObjects } from "../project/project-objects.ts"
import { rootOf, sharedBy, storesFolder } from "../project/store-folder.ts"
import { type CopiedFolder, copiesFolder, isBeingMade, readCopy } from "./copied-folder.ts"

/** Throws `unsafe-path` if it is no copy of ours, and `invalid` while another process makes it. */
export function removeCopy(home: string, name: string, now: number): void {
  const place = nodePath.join(copiesFolder(home), name)
  const copy = nodePath.basename(place) === name ? readCopy(place) : undefined
  if (copy === undefined)
    throw new RetconError({ code: "unsafe-path", path: place, problem: "it is no copy that retcon made" })
  if (isBeingMade(copy, now)) {
    const problem = `Process ${copy.by.pid} is still making the copy in ${place}.`
    throw new RetconError({ code: "invalid", problem, advice: "Try again when it is done." })
  }
  removePlace(home, place)
}

/** The mark goes last: what an interrupted removal leaves is still known to be ours. */
export function removePlace(home: string, place: string): void {
  const copy = readCopy(place)
  for (const name of fs.readdirSync(place))
    if (name !== "copy.json") removeTree(Buffer.from(nodePath.join(place, name)))
  if (copy !== undefined) removeStore(home, copy)
  removeTree(Buffer.from(place))
}

/** Only one without objects of its own. */
function removeStore(home: string, { store, folder }: CopiedFolder): void {
  if (rootOf(home, store) !== folder || sharedBy(home, store) === undefined) return
  removeTree(Buffer.from(nodePath.join(storesFolder(home), store)))
}

function removeTree(path: Buffer): void {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isDirectory()) return fs.unlinkSync(path)
  for (const name of namesIn(path)) removeTree(Buffer.concat([path, Buffer.from("/"), name]))
  fs.rmdirSync(path)
}

/** A folder of the copy may forbid its owner to read or change it. */
function namesIn(folder: Buffer): Buffer[] {
  try {
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (error) {
    if (errno(error) !== "EACCES") throw error
    fs.chmodSync(folder, 0o700)
  }
  return fs.readdirSync(folder, { encoding: "buffer" })
}

/** The branches of a copy's repositories whose last commit the repository that was copied does not have. */
export function commitsOnlyIn(copy: CopiedFolder): { name: string; from: string }[] {
  return copy.repositories.flatMap(({ path }) => {
    const from = nodePath.join(copy.folder, path)
    const [own, original] = [projectAt(from), projectAt(nodePath.join(copy.of, path))]
    if (own === undefined) return []
    const objects = original === undefined ? undefined : openProjectObjects(original)
    try {
      return branchesOf(own)
        .filter(({ commit }) => objects?.read("commit", commit) === undefined)
        .map(({ name }) => ({ name, from }))
    } finally {
      objects?.close()
    }
  })
}

/** HEAD, if it is on no branch, and all branches that have a file of their own: a new commit always makes one. */
function branchesOf(project: Project): { name: string; commit: string }[] {
  const { branch, commit } = repositoryState(project, "")
  const head = branch === undefined && commit !== undefined ? [{ name: "HEAD", commit }] : []
  const folder = nodePath.join(project.gitFolder, "refs", "heads")
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true, encoding: "utf8" }) : []
  const branches = names.flatMap((name) => {
    const own = readIfThere(nodePath.join(folder, name))?.toString().trim() ?? ""
    return /^[0-9a-f]{40,64}$/.test(own) ? [{ name, commit: own }] : []
  })
  return [...head, ...branches]
}
