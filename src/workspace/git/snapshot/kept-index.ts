// The index of a session, stored between runs as a cache. If it is missing, damaged or old, files are read again.
import { createHash } from "node:crypto"
import fs from "node:fs"
import nodePath from "node:path"
import { orNothing, RetconError } from "../../../model/failure/retcon-error.ts"
import { parentOf, type SnapshotId } from "../../port.ts"
import { temporaryIn } from "../disk/temporary.ts"
import type { Objects } from "../objects/objects.ts"
import { openView } from "../objects/snapshot-view.ts"
import { readIfThere } from "../project/project.ts"
import { everyFolder, type FileNode, type FolderNode, findFolder, newFolder } from "../walk/tree-index.ts"
import type { OpenWorkspace } from "./open-workspace.ts"

type Loaded = Pick<OpenWorkspace, "index" | "manifest" | "last">
const KIND = "retcon index 1"
const NUMBERS = 7

export function indexFile(folder: string, session: string): string {
  return `${folder}/indexes/${createHash("sha256").update(session).digest("hex").slice(0, 32)}`
}

/**
 * Contract: never throws because of the file's content. Trusts nothing in it that is not in the object store. Without
 * `last` if the session has taken a snapshot since: then the index saves reading, but is nothing to build on.
 */
export function loadIndex(objects: Objects, folder: string, root: string, session: string): Loaded {
  const fresh: Loaded = { index: newFolder(undefined, ""), manifest: undefined, last: undefined }
  const file = indexFile(folder, session)
  if (!fs.existsSync(file)) return fresh
  const bytes = fs.readFileSync(file)
  const body = bytes.subarray(20)
  if (bytes.length < 24 || !createHash("sha1").update(body).digest().equals(bytes.subarray(0, 20))) return fresh
  try {
    const loaded = parseIndex(objects, root, body)
    return {
      ...loaded,
      last: readIfThere(lastFile(folder, session))?.toString() === loaded.last ? loaded.last : undefined,
    }
  } catch (error) {
    if (error instanceof RetconError) return fresh
    throw error
  }
}

function parseIndex(objects: Objects, root: string, body: Buffer): Loaded {
  const textLength = body.readUInt32LE(0)
  const fields = body.toString("utf8", 4, 4 + textLength).split("\0")
  const numbers = new Float64Array(new Uint8Array(body.subarray(4 + textLength)).buffer)
  const [kind, last = "", manifest = "", ...rest] = fields
  if (kind !== KIND) throw new RetconError({ code: "damaged", path: "index", line: 0, problem: "unknown kind" })
  const view = openView(objects, root, last as SnapshotId)
  const index = newFolder(undefined, "")
  let [at, row] = [0, 0]
  while (at < rest.length) {
    const [path = "", tree = "", perm = "", count = ""] = rest.slice(at, at + 4)
    at += 4
    const folder = path === "" ? index : addFolder(index, path)
    folder.tree = tree
    folder.perm = Number(perm)
    for (let left = Number(count); left > 0; left--, at += 2, row++)
      folder.files.set(rest[at] as string, fileAt(numbers, row, rest[at + 1] as string))
  }
  for (const [path, because] of view.manifest.skipped)
    findFolder(index, parentOf(path))?.skipped.set(path.slice(path.lastIndexOf("/") + 1), because)
  return { index, manifest: { oid: manifest, value: view.manifest }, last: view.id }
}

function addFolder(index: FolderNode, path: string): FolderNode {
  const slash = path.lastIndexOf("/")
  const parent = findFolder(index, path.slice(0, Math.max(0, slash))) as FolderNode
  const folder = newFolder(parent, path)
  parent.folders.set(path.slice(slash + 1), folder)
  return folder
}

function fileAt(numbers: Float64Array, row: number, oid: string): FileNode {
  const at = row * NUMBERS
  const number = (i: number) => numbers[at + i] as number
  return {
    kind: number(0) === 1 ? "link" : "file",
    oid,
    size: number(1),
    mtime: number(2),
    ctime: number(3),
    inode: number(4),
    perm: number(5),
    readAt: number(6),
  }
}

/** If it cannot be saved, that only costs time later. */
export function saveIndex(workspace: OpenWorkspace): void {
  if (workspace.isTorn || workspace.last === undefined || workspace.manifest === undefined) return
  const fields: string[] = [KIND, workspace.last, workspace.manifest.oid]
  const numbers: number[] = []
  everyFolder(workspace.index, (folder) => {
    fields.push(folder.path, folder.tree ?? "", String(folder.perm), String(folder.files.size))
    for (const [name, node] of folder.files) {
      fields.push(name, node.oid)
      numbers.push(node.kind === "link" ? 1 : 0, node.size, node.mtime, node.ctime, node.inode, node.perm, node.readAt)
    }
  })
  const text = Buffer.from(fields.join("\0"))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  const body = Buffer.concat([length, text, Buffer.from(Float64Array.from(numbers).buffer)])
  const bytes = Buffer.concat([createHash("sha1").update(body).digest(), body])
  orNothing(() => {
    writeWhole(indexFile(workspace.folder, workspace.session), bytes)
    workspace.indexSaved = true
  })
}

/** The snapshot that this session builds on, for `gc` in another process. */
export function noteLast(workspace: OpenWorkspace, id: SnapshotId): void {
  writeWhole(lastFile(workspace.folder, workspace.session), Buffer.from(id))
}

function lastFile(folder: string, session: string): string {
  return `${indexFile(folder, session)}.last`
}

/** Contract: the file has the old content or the new one, and nothing else is left. */
function writeWhole(file: string, bytes: Buffer): void {
  const temporary = temporaryIn(nodePath.dirname(file))
  try {
    fs.writeFileSync(temporary, bytes, { mode: 0o600 })
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}
