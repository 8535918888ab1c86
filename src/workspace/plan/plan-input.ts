// What a restore is planned from: the steps to take back, the files as they are now, and the person's choices.
import type { FileState, OnConflict, Step } from "../port.ts"
import type { Difference } from "../text/file-changes.ts"
import type { Checkouts } from "./checkout.ts"
import type { FileContent } from "./take-back.ts"

/** A step and what it changed. `covered` false: one of its snapshots left this path out on purpose. */
export type PlannedStep = {
  step: Step
  differences: Difference[]
  covered: (path: string) => boolean
  checkouts?: Checkouts | undefined
}

export type Now = {
  state(path: string): FileState | undefined
  /** The names in a folder of the snapshot of now. */
  children(path: string): string[]
  /** Whether something is there that the snapshot of now does not cover. */
  isUncovered(path: string): boolean
  /** A name on disk, in a folder of the snapshot, that the snapshot does not cover. */
  uncoveredIn(folder: string): string | undefined
  /** If the snapshot lacks this path, but the file system treats it as one that it has: the snapshot's spelling. */
  spelling(path: string): string | undefined
}

export type PlanInput = {
  steps: PlannedStep[]
  paths?: string[]
  /** These, and everything below them, are left alone. */
  keep?: string[]
  /** What someone else may have done is left alone too. */
  onlyCertain?: boolean
  now: Now
  content: FileContent
  onConflict: OnConflict
}
