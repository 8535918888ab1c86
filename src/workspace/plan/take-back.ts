// One path, three states: what the agent made of it (after), what it was before, what it is now. Pure.
import type { Conflict } from "../../model/move/file-outcomes.ts"
import type { KeptReason } from "../../model/text/file-reasons.ts"
import type { FileState, OnConflict } from "../port.ts"
import { isBinary } from "../text/byte-lines.ts"
import { type Clash, merge3, settle } from "../text/merge.ts"

export type TakeBackResult =
  | { outcome: "want"; state: FileState | undefined }
  | { outcome: "kept"; because: KeptReason }
  | { outcome: "conflict"; because: Conflict["because"]; clashes: Clash[] }

export type FileContent = { read(oid: string): Buffer; store(bytes: Buffer): string }
type File = Extract<FileState, { kind: "file" }>

/**
 * Contract: takes the change before→after back from `now`. What someone else did to the path stays, or is a conflict.
 */
export function takeBack(
  after: FileState | undefined,
  before: FileState | undefined,
  now: FileState | undefined,
  content: FileContent,
  onConflict: OnConflict,
): TakeBackResult {
  if (same(now, after)) return { outcome: "want", state: before }
  if (same(now, before)) return { outcome: "want", state: now }
  if (now === undefined) {
    const onlyFolders = after?.kind === "folder" && (before === undefined || before.kind === "folder")
    return onlyFolders ? { outcome: "want", state: undefined } : { outcome: "kept", because: "deleted-since" }
  }
  if (
    now.kind === "folder" &&
    (before === undefined || before.kind === "folder") &&
    (after === undefined || after.kind === "folder")
  ) {
    return { outcome: "want", state: mergeFolder(after, before, now) }
  }
  if (before === undefined) return { outcome: "kept", because: "changed-since" }
  if (now.kind === "file" && before.kind === "file" && (after === undefined || after.kind === "file")) {
    return mergeFile(after, before, now, content, onConflict)
  }
  return settleWhole(before, now, onConflict, after === undefined ? "added-twice" : "kind")
}

function mergeFolder(after: FileState | undefined, before: FileState | undefined, now: FileState & { kind: "folder" }) {
  if (before === undefined) return undefined
  if (after?.kind === "folder" && before.kind === "folder" && now.perm === after.perm) return before
  return now
}

function mergeFile(
  after: File | undefined,
  before: File,
  now: File,
  content: FileContent,
  onConflict: OnConflict,
): TakeBackResult {
  const perm = after !== undefined && now.perm === after.perm ? before.perm : now.perm
  if (after !== undefined && (now.oid === after.oid || before.oid === after.oid)) {
    return { outcome: "want", state: { kind: "file", oid: now.oid === after.oid ? before.oid : now.oid, perm } }
  }
  if (now.oid === before.oid) return { outcome: "want", state: { kind: "file", oid: now.oid, perm } }
  const base = after === undefined ? Buffer.alloc(0) : content.read(after.oid)
  const [ours, theirs] = [content.read(now.oid), content.read(before.oid)]
  if ([base, ours, theirs].some(isBinary)) return settleWhole(before, now, onConflict, "binary")
  const merged = merge3(base, ours, theirs)
  const want = (how: "theirs" | "ours" | "write-conflicts"): TakeBackResult => ({
    outcome: "want",
    state: { kind: "file", oid: content.store(settle(merged, how)), perm },
  })
  if (merged.clashes.length === 0) return want("ours")
  if (onConflict !== "refuse") return want(onConflict)
  return { outcome: "conflict", because: after === undefined ? "added-twice" : "content", clashes: merged.clashes }
}

function settleWhole(
  before: FileState,
  now: FileState,
  onConflict: OnConflict,
  because: Conflict["because"],
): TakeBackResult {
  if (onConflict === "theirs") return { outcome: "want", state: before }
  if (onConflict === "ours") return { outcome: "want", state: now }
  return { outcome: "conflict", because, clashes: [] }
}

export function same(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.kind === "folder") return b.kind === "folder" && a.perm === b.perm
  if (a.kind === "link") return b.kind === "link" && a.oid === b.oid
  return b.kind === "file" && a.oid === b.oid && a.perm === b.perm
}
