// Which files two branches changed since they parted: only one of them, both alike, or both differently.
import { type SaidSince, saidSpans } from "../files/applied-changes.ts"
import { type CallSpan, callSpans } from "../files/call-spans.ts"
import { isOnPath, NONE, type Row } from "../tree/tree.ts"
import type { BranchEnd } from "./branch-facts.ts"

/** How a file differs between the start and the end of a branch. Lines are counted where snapshots show them. */
export interface FileDifference {
  change: string
  added?: number
  removed?: number
}

export interface ComparedFile {
  path: string
  /** `unknown`: both changed it, and no snapshot shows whether alike. */
  group: "only-a" | "only-b" | "same" | "different" | "unknown"
  a?: FileDifference
  b?: FileDifference
}

/** The calls of a branch since a row that changed files, oldest first. */
export function spansOfBranch({ history, row: tip }: BranchEnd, since: Row, said?: SaidSince): CallSpan[] {
  const shown = callSpans(history, since)
  const told = said === undefined ? [] : saidSpans(said(since === NONE ? 0 : since), shown)
  const depth = since === NONE ? 0 : history.depth(since)
  return [...shown, ...told]
    .filter(({ entry }) => history.depth(entry) > depth && isOnPath(history, entry, tip))
    .sort((a, b) => a.opened - b.opened || a.row - b.row)
}

export type FileDifferences = ReadonlyMap<string, FileDifference>

/** What the calls say of each path, without the files themselves: the last change of each. */
export function changesTold(spans: readonly CallSpan[]): Map<string, FileDifference> {
  const found = new Map<string, FileDifference>()
  for (const { changes } of spans) {
    for (const { path, change } of changes) {
      const before = found.get(path)?.change
      found.set(path, { change: before === "added" && change === "modified" ? "added" : change })
    }
  }
  return found
}

/** Sorted by path. `differ`: whether a file that both changed differs between the two ends; undefined: not known. */
export function groupFiles(
  a: FileDifferences,
  b: FileDifferences,
  differ: (path: string) => boolean | undefined,
): ComparedFile[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort().map((path): ComparedFile => {
    const [inA, inB] = [a.get(path), b.get(path)]
    if (inB === undefined) return { path, group: "only-a", ...(inA && { a: inA }) }
    if (inA === undefined) return { path, group: "only-b", b: inB }
    const differs = differ(path)
    return { path, group: differs === undefined ? "unknown" : differs ? "different" : "same", a: inA, b: inB }
  })
}
