// What the person chose about the files before a move.
import type { MoveRequest } from "../../../protocol/host.ts"

/** Which version to keep where both sides changed the same lines. */
export type ConflictChoice = Exclude<MoveRequest["onConflict"], undefined>

export interface FilesChosen {
  onConflict?: ConflictChoice
  /** Paths to leave alone. */
  keep?: string[]
}
