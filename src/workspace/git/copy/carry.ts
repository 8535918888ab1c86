// What a copy gets of the files that snapshots leave out: what .worktreeinclude names, and folders with dependencies as far as they
// fit. Links are copied as links, and never followed.
import fs from "node:fs"
import nodePath from "node:path"
import { errno } from "../../../model/failure/retcon-error.ts"
import { type CopyRequest, diskPath, nameOf } from "../../port.ts"
import type { SnapshotView } from "../objects/snapshot-view.ts"
import { readIgnoreFile } from "../project/project.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { contextOf } from "../snapshot/take-snapshot.ts"
import { type Includes, includesFrom } from "../walk/include.ts"

const DEPENDENCIES: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  "vendor",
  "bower_components",
  ".bundle",
  "Pods",
  "deps",
])
/** Bytes of all of them together. */
const MOST = 1_000_000_000

/** Contract: the copy's covered files are there already; nothing of them is replaced. */
export async function carryIgnored(
  workspace: OpenWorkspace,
  { manifest }: SnapshotView,
  to: string,
  { dependencies = MOST, signal }: Pick<CopyRequest, "dependencies" | "signal">,
): Promise<{ carried: string[]; left: string[] }> {
  const { root, ownHome } = workspace
  const { breathe } = contextOf(workspace)
  const text = readIgnoreFile(`${root}/.worktreeinclude`)?.toString() ?? ""
  const wanted = includesFrom(
    root,
    text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#")),
  )
  const [carried, left]: string[][] = [[], []]
  let room = dependencies
  for (const [path, because] of manifest.skipped) {
    if ((because !== "ignored" && because !== "large") || `${ownHome}/`.startsWith(`${root}/${path}/`)) continue
    signal?.throwIfAborted()
    const chosen = chosenIn(root, path, wanted)
    const size =
      chosen.includes(path) || !DEPENDENCIES.has(nameOf(path)) ? undefined : sizeOf(diskPath(root, path), room)
    if (size !== undefined && size <= room) {
      room -= size
      chosen.splice(0, chosen.length, path)
    }
    if (chosen.length === 0) left?.push(path)
    for (const each of chosen) {
      fs.mkdirSync(nodePath.dirname(nodePath.join(to, each)), { recursive: true })
      await copyTree(diskPath(root, each), diskPath(to, each), breathe)
      carried?.push(each)
    }
  }
  return { carried: carried ?? [], left: left ?? [] }
}

/** The path itself if it is named, else what is named below it. */
function chosenIn(root: string, path: string, wanted: Includes): string[] {
  const stat = fs.lstatSync(diskPath(root, path), { throwIfNoEntry: false })
  if (stat === undefined || !wanted.covers(`${root}/${path}`, stat.isDirectory())) return []
  if (!stat.isDirectory() || wanted.names(`${root}/${path}`, true)) return [path]
  return fs.readdirSync(diskPath(root, path)).flatMap((name) => chosenIn(root, `${path}/${name}`, wanted))
}

/** Bytes below a path; more than `most` as soon as it is more. */
function sizeOf(path: string | Buffer, most: number): number {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory() !== true) return stat?.size ?? 0
  let sum = 0
  for (const name of namesAt(path)) {
    sum += sizeOf(inside(path, name), most - sum)
    if (sum > most) return sum
  }
  return sum
}

/** With times, by which build tools know what is up to date. What may not be read is left out. */
async function copyTree(
  from: string | Buffer,
  to: string | Buffer,
  breathe: () => Promise<void> | undefined,
): Promise<void> {
  const pause = breathe()
  if (pause !== undefined) await pause
  const stat = fs.lstatSync(from, { throwIfNoEntry: false })
  if (stat === undefined || fs.lstatSync(to, { throwIfNoEntry: false })?.isDirectory() === false) return
  if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from, { encoding: "buffer" }), to)
  else if (stat.isDirectory()) {
    fs.mkdirSync(to, { recursive: true, mode: 0o700 })
    for (const name of namesAt(from)) await copyTree(inside(from, name), inside(to, name), breathe)
    fs.chmodSync(to, stat.mode & 0o7777)
  } else if (stat.isFile()) {
    try {
      fs.copyFileSync(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL)
      fs.utimesSync(to, stat.atimeMs / 1000, stat.mtimeMs / 1000)
    } catch (error) {
      if (!["EACCES", "EPERM", "EEXIST", "ENOENT"].includes(errno(error) ?? "")) throw error
    }
  }
}

function namesAt(folder: string | Buffer): Buffer[] {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" })
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT", "ENOTDIR"].includes(errno(error) ?? "")) return []
    throw error
  }
}

function inside(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from("/"), name])
}
