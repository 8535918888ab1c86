// What git itself did to the files around a step: whether it switched, pulled or reset. Pure.
import type { FileState } from "../port.ts"

/** What a commit contains at a path. `oid`: as snapshots name the content. `stored`: as the person's repository does. */
export type Committed =
  | { kind: "file"; oid: string; stored: string; executable: boolean }
  | { kind: "link"; oid: string; stored: string }
  | { kind: "folder" }
  | { kind: "absent" }

export type Checkouts = {
  /** What git brought to the path while the step ran; undefined if it left the path alone. */
  during(path: string): CheckoutChange | undefined
  /** What git may have left at the path since then. Empty if it has not switched since. */
  since(path: string): Committed[]
  /** The branch or commit of the path's repository then and now, as a person would say. */
  stands(path: string): { from: string; to: string } | undefined
}

export type CheckoutChange = {
  /** What the path was in the commits that git switched from. */
  from: Committed[]
  to: Committed
  /** `to` as we store files, with permissions like those of `like`. Undefined if it cannot be read. */
  asState(like: FileState | undefined): { state: FileState | undefined } | undefined
}

/** Whether a path is as in a commit. Permissions are not compared: git stores few of them. */
export function isAsCommitted(state: FileState | undefined, committed: Committed): boolean {
  if (state === undefined || committed.kind === "absent") return state === undefined && committed.kind === "absent"
  if (state.kind === "folder" || committed.kind === "folder") return state.kind === committed.kind
  return state.kind === committed.kind && state.oid === committed.oid
}
