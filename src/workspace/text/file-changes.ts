// A difference for people: what kind of change, and how many lines.
import { countLines, diffLines } from "../../model/text/diff-lines.ts"
import type { ChangeKind, FileChange, FileState } from "../port.ts"
import { isBinary, splitLines } from "./byte-lines.ts"

export type Difference = { path: string; from: FileState | undefined; to: FileState | undefined }

/** Contract: leaves out folders that merely come or go with their files, but not empty folders and changed modes. */
export function toFileChanges(differences: Difference[], read: (oid: string) => Buffer): FileChange[] {
  const withFiles = { from: new Set<string>(), to: new Set<string>() }
  for (const { path, from, to } of differences) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      if (from !== undefined) withFiles.from.add(path.slice(0, at))
      if (to !== undefined) withFiles.to.add(path.slice(0, at))
    }
  }
  return differences
    .filter(({ path, from, to }) => {
      if (from?.kind === "folder" && to === undefined) return !withFiles.from.has(path)
      if (to?.kind === "folder" && from === undefined) return !withFiles.to.has(path)
      return true
    })
    .map((difference) => toFileChange(difference, read))
}

function toFileChange({ path, from, to }: Difference, read: (oid: string) => Buffer): FileChange {
  const bytes = (state: FileState | undefined) =>
    state === undefined || state.kind === "folder" ? undefined : read(state.oid)
  const sameContent = from?.kind !== "folder" && to?.kind !== "folder" && from?.oid === to?.oid
  const [old, now] = sameContent ? [undefined, undefined] : [bytes(from), bytes(to)]
  const binary = [old, now].some((content) => content !== undefined && isBinary(content))
  const folder = [from, to].every((state) => state === undefined || state.kind === "folder")
  const counts = binary || folder ? undefined : countLines(diffLines(linesOf(old), linesOf(now)))
  return {
    path,
    change: changeKind(from, to),
    kind: (to ?? from)?.kind ?? "file",
    binary,
    added: counts?.added,
    removed: counts?.removed,
    oldOid: from?.kind === "folder" ? undefined : from?.oid,
    newOid: to?.kind === "folder" ? undefined : to?.oid,
    oldMode: modeOf(from),
    newMode: modeOf(to),
  }
}

function linesOf(bytes: Buffer | undefined): string[] {
  return bytes === undefined ? [] : splitLines(bytes)
}

function modeOf(state: FileState | undefined): number | undefined {
  return state === undefined || state.kind === "link" ? undefined : state.perm
}

function changeKind(from: FileState | undefined, to: FileState | undefined): ChangeKind {
  if (from === undefined) return "added"
  if (to === undefined) return "deleted"
  if (from.kind !== to.kind) return "type"
  if (from.kind === "folder" || to.kind === "folder" || from.oid === to.oid) return "mode"
  return "modified"
}
