// Makes a copy of the workspace as a snapshot has it: each file from disk while that still is what the snapshot contains, otherwise
// from the store. The copy has a store of its own, with its own journal and index, which shares the objects of the workspace's: what
// a restore in the copy left undone is finished there and nowhere else.
import fs from "node:fs"
import nodePath from "node:path"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import { bytes as amount } from "../../../model/text/amounts.ts"
import { type CopyReport, type CopyRequest, diskPath, type FileState } from "../../port.ts"
import { lstat } from "../disk/disk.ts"
import { entriesOf, openView, type SnapshotView, stateOf } from "../objects/snapshot-view.ts"
import { type Project, projectAround, projectAt, readIgnoreFile, repositoryState } from "../project/project.ts"
import { shareStore } from "../project/store-folder.ts"
import { ensureFolder, type OpenWorkspace } from "../snapshot/open-workspace.ts"
import { contextOf } from "../snapshot/take-snapshot.ts"
import { everyFolder, type FileNode, findFolder, isUnchanged } from "../walk/tree-index.ts"
import { borrowRepository } from "./borrowed-repository.ts"
import { carryIgnored } from "./carry.ts"
import { type CopiedFolder, copiesFolder, writeCopy } from "./copied-folder.ts"
import { removePlace } from "./remove-copy.ts"

/** What a disk needs besides the files themselves. */
const SPARE = 64 * 1024 * 1024

export async function copyOut(workspace: OpenWorkspace, request: CopyRequest): Promise<CopyReport> {
  const { ownHome, root } = workspace
  const view = openView(workspace.objects, root, request.snapshot)
  const place = nodePath.join(copiesFolder(ownHome), request.name)
  ensureFolder(nodePath.dirname(place))
  mustHaveRoom(workspace, nodePath.dirname(place))
  makePlace(place)
  try {
    const project = projectAround(root)
    const top = nodePath.join(place, "files")
    // The rules of a repository that begins further up hold in the copy too.
    const below = project === undefined ? "" : nodePath.relative(project.top, root)
    const folder = nodePath.join(top, below)
    const store = shareStore(ownHome, nodePath.basename(workspace.sharedFolder), folder)
    const copy: Omit<CopiedFolder, "by"> = {
      place,
      of: root,
      folder,
      store,
      objects: [],
      repositories: [],
      complete: false,
    }
    writeCopy(copy)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const copied = await copyFiles(workspace, view, folder, request.signal)
    for (const repository of repositoriesOf(root, view, project)) {
      const from = nodePath.relative(project?.top ?? root, repository.top)
      copy.objects.push(...borrowRepository(repository, nodePath.join(top, from), place, copy.objects.length))
      const { commit = "" } = repositoryState(repository, "")
      copy.repositories.push({ path: nodePath.relative(root, repository.top), from: commit })
    }
    if (project !== undefined && below !== "") copyRulesAbove(project.top, below, top)
    const carried = await carryIgnored(workspace, view, folder, request)
    writeCopy({ ...copy, complete: true })
    return { folder, ...copied, ...carried }
  } catch (error) {
    removePlace(ownHome, place)
    throw error
  }
}

function makePlace(place: string): void {
  try {
    fs.mkdirSync(place, { mode: 0o700 })
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path: place })
    throw error
  }
}

function mustHaveRoom({ index }: OpenWorkspace, at: string): void {
  let needs = SPARE
  everyFolder(index, ({ files }) => {
    for (const { size } of files.values()) needs += Math.max(0, size)
  })
  const { bavail, bsize } = fs.statfsSync(at)
  const free = bavail * bsize
  if (needs <= free) return
  const problem = `A copy of the folder needs about ${amount(needs)}, and ${amount(free)} are free in ${at}.`
  throw new RetconError({
    code: "invalid",
    problem,
    advice: [
      "Free some space. Copies of attempts that you no longer need can be removed with: ",
      { do: "attempts", way: "clean" },
    ],
  })
}

/** Contract: permissions as in the snapshot. A folder gets its own last, because it may forbid writing. */
async function copyFiles(
  workspace: OpenWorkspace,
  view: SnapshotView,
  to: string,
  signal: AbortSignal | undefined,
): Promise<{ files: number; bytes: number }> {
  const { breathe } = contextOf(workspace)
  const sum = { files: 0, bytes: 0 }
  const visit = async (oid: string, path: string): Promise<void> => {
    const known = findFolder(workspace.index, path)
    for (const entry of entriesOf(view, oid)) {
      const below = path === "" ? entry.name : `${path}/${entry.name}`
      const state = stateOf(view, below, entry)
      const target = diskPath(to, below)
      if (state.kind === "folder") {
        fs.mkdirSync(target, { mode: 0o700 })
        await visit(entry.oid, below)
        fs.chmodSync(target, state.perm)
        continue
      }
      signal?.throwIfAborted()
      if (state.kind === "link") fs.symlinkSync(workspace.objects.read(state.oid).data, target)
      else sum.bytes += copyFile(workspace, { path: below, state, node: known?.files.get(entry.name) }, target)
      sum.files++
      const pause = breathe()
      if (pause !== undefined) await pause
    }
  }
  await visit(view.tree, "")
  return sum
}

type WantedFile = { path: string; state: FileState & { kind: "file" }; node: FileNode | undefined }

/** From disk only if it was, and after copying still is, the file that the snapshot was taken of. Returns its bytes. */
function copyFile(
  { root, objects }: OpenWorkspace,
  { path, state, node }: WantedFile,
  target: string | Buffer,
): number {
  const source = diskPath(root, path)
  const isThat = () => {
    const stat = node?.kind === "file" && node.oid === state.oid ? lstat(source) : undefined
    return node !== undefined && stat?.isFile() === true && isUnchanged(node, stat)
  }
  if (node !== undefined && isThat()) {
    try {
      fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL)
      if (isThat()) {
        if (node.perm !== state.perm) fs.chmodSync(target, state.perm)
        return node.size
      }
    } catch (error) {
      if (lstat(source) !== undefined && !isForbidden(error)) throw error
    }
    fs.rmSync(target, { force: true })
  }
  const { data } = objects.read(state.oid)
  fs.writeFileSync(target, data, { flag: "wx", mode: state.perm })
  fs.chmodSync(target, state.perm)
  return data.length
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")
}

/** Those inside the workspace, and its own, if that does not begin further up: then commits are made there, not in the copy. */
function repositoriesOf(root: string, { manifest }: SnapshotView, own: Project | undefined): Project[] {
  const nested = manifest.repositories.flatMap((path) => projectAt(nodePath.join(root, path)) ?? [])
  return own === undefined ? nested : [own, ...nested]
}

function copyRulesAbove(from: string, below: string, to: string): void {
  const names = below.split(nodePath.sep)
  for (const i of names.keys()) {
    const folder = names.slice(0, i).join(nodePath.sep)
    const text = readIgnoreFile(nodePath.join(from, folder, ".gitignore"))
    if (text !== undefined) fs.writeFileSync(nodePath.join(to, folder, ".gitignore"), text, { flag: "wx" })
  }
}
