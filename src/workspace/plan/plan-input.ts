// What a restore is planned from: the steps to take back, the files as they are now, and the person's choices.
import type { FileState, OnConflict, Step } from "../port.ts"
import type { Difference } from "../text/change.ts"
import type { Checkouts } from "./checkout.ts"
import type { FileContent } from "./take-back.ts"

/** A step with what it changed. `covered` false: one of its snapshots left this path out on purpose. */
export type PlannedStep = {
  step: Step
  differences: Difference[]
  covered: (path: string) => boolean
  checkouts?: Checkouts | undefined
}

export type Now = {
  state(path: string): FileState | undefined
  /** Names in a folder of the snapshot of now. */
  children(path: string): string[]
  /** Something is there that the snapshot of now does not cover. */
  isUncovered(path: string): boolean
  /** A name on disk, in a folder of the snapshot, that the snapshot does not cover. */
  uncoveredIn(folder: string): string | undefined
  /** The snapshot's spelling of a path that it does not have, but that the file system treats as one that it has. */
  spelling(path: string): string | undefined
}

export type PlanInput = {
  steps: PlannedStep[]
  paths?: string[]
  /** These, and everything below them, stay as they are. */
  keep?: string[]
  /** What somebody else may have done stays too. */
  onlyCertain?: boolean
  now: Now
  content: FileContent
  onConflict: OnConflict
}
