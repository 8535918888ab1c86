// What the person chose about the files before a move.
import type { ConflictChoice } from "../../../model/failure/failure.ts"

export interface FilesChosen {
  onConflict?: ConflictChoice
  /** Paths to leave alone. */
  keep?: string[]
}
