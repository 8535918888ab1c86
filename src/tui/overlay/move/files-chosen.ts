// What the person chose about the files of a move, before it is made.
import type { MoveRequest } from "../../../protocol/host.ts"

/** Which version to keep where both sides changed the same lines. */
export type ConflictChoice = Exclude<MoveRequest["onConflict"], undefined>

export interface FilesChosen {
  onConflict?: ConflictChoice
  /** Paths that stay as they are. */
  keep?: string[]
}
