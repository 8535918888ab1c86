// Differences between two snapshots as a person reads them.
import { printHunks } from "../../../model/text/hunks.ts"
import { isEscaped, pathBytes } from "../../../model/text/path-bytes.ts"
import { type FileChange, type FileState, foldersAbove, type SnapshotId } from "../../port.ts"
import { isBinary, splitLines } from "../../text/byte-lines.ts"
import { type Difference, toFileChanges } from "../../text/file-changes.ts"
import { differences, openView } from "../objects/snapshot-view.ts"
import { covers } from "./covers.ts"
import type { OpenWorkspace } from "./open-workspace.ts"

function compare(
  workspace: OpenWorkspace,
  from: SnapshotId,
  to: SnapshotId,
  paths: string[] | undefined,
): Difference[] {
  const [a, b] = [openView(workspace.objects, workspace.root, from), openView(workspace.objects, workspace.root, to)]
  const found = differences(a, b).filter(
    (d) => (d.from !== undefined || covers(a, d.path)) && (d.to !== undefined || covers(b, d.path)),
  )
  if (paths === undefined) return found
  const named = new Set(paths)
  return found.filter(({ path }) => named.has(path) || foldersAbove(path).some((folder) => named.has(folder)))
}

export function diffSnapshots(
  workspace: OpenWorkspace,
  from: SnapshotId,
  to: SnapshotId,
  paths?: string[],
): FileChange[] {
  return toFileChanges(compare(workspace, from, to, paths), (oid) => workspace.objects.read(oid).data)
}

export function patchSnapshots(workspace: OpenWorkspace, from: SnapshotId, to: SnapshotId, paths?: string[]): Buffer {
  const read = (oid: string) => workspace.objects.read(oid).data
  return Buffer.concat(compare(workspace, from, to, paths).map((difference) => printPatch(difference, read)))
}

/**
 * One file's difference as a unified diff, for people and for git. Contract: `git apply` accepts it, except for content
 * that is not text, and writes the same bytes, whatever their encoding. Empty for folders. Names with control
 * characters are quoted as git does.
 */
export function printPatch({ path, from, to }: Difference, read: (oid: string) => Buffer): Buffer {
  const [old, now] = [content(from), content(to)]
  if (old !== undefined && now !== undefined && old.kind !== now.kind) {
    return Buffer.concat([printFile(path, old, undefined, read), printFile(path, undefined, now, read)])
  }
  return old === undefined && now === undefined ? Buffer.alloc(0) : printFile(path, old, now, read)
}

const NO_OID = "0".repeat(40)

type Content = Exclude<FileState, { kind: "folder" }>

function content(state: FileState | undefined): Content | undefined {
  return state === undefined || state.kind === "folder" ? undefined : state
}

function printFile(
  path: string,
  from: Content | undefined,
  to: Content | undefined,
  read: (oid: string) => Buffer,
): Buffer {
  const [old, now] = [from, to].map((state) => (state === undefined ? Buffer.alloc(0) : read(state.oid)))
  const name = (side: "a" | "b", state: Content | undefined) =>
    state === undefined ? "/dev/null" : quoted(`${side}/${path}`)
  const lines = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`, ...modeLines(from, to)]
  if (old === undefined || now === undefined || old.equals(now)) return printed(lines)
  const names = [name("a", from), name("b", to)]
  if (isBinary(old) || isBinary(now)) {
    // Without this line `git apply` treats what follows as part of this file.
    lines.push(`index ${from?.oid ?? NO_OID}..${to?.oid ?? NO_OID}`, `Binary files ${names.join(" and ")} differ`)
    return printed(lines)
  }
  lines.push(`--- ${names[0]}`, `+++ ${names[1]}`)
  const body = printHunks(splitLines(old), splitLines(now))
  return Buffer.concat([printed(lines), Buffer.from(body, "latin1")])
}

function printed(lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`)
}

function modeLines(from: Content | undefined, to: Content | undefined): string[] {
  if (from === undefined) return to === undefined ? [] : [`new file mode ${gitMode(to)}`]
  if (to === undefined) return [`deleted file mode ${gitMode(from)}`]
  if (gitMode(from) !== gitMode(to)) return [`old mode ${gitMode(from)}`, `new mode ${gitMode(to)}`]
  // What git does not store is still shown to people.
  return fullMode(from) === fullMode(to) ? [] : [`old mode ${fullMode(from)}`, `new mode ${fullMode(to)}`]
}

function gitMode(state: Content): string {
  if (state.kind === "link") return "120000"
  return (state.perm & 0o100) === 0 ? "100644" : "100755"
}

function fullMode(state: Content): string {
  return state.kind === "link" ? "120000" : `10${state.perm.toString(8).padStart(4, "0")}`
}

const ESCAPES: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" }

/** Bytes that are not UTF-8 are quoted too: as they are, they would not survive a terminal or an editor. */
function quoted(name: string): string {
  if (!isEscaped(name) && !/[\p{Cc}"\\]/u.test(name)) return name
  const octal = (character: string) =>
    [...pathBytes(character)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")
  return `"${name.replace(/[\p{Cc}"\\\uEF80-\uEFFF]/gu, (character) => ESCAPES[character] ?? octal(character))}"`
}
