// What a person can do at each prompt.
import type { EntryId } from "../../src/model/id.ts"

export interface PromptActions {
  rewind(entry: EntryId): void
  /** Takes back the file changes of this round alone, or makes them again. */
  changes(entry: EntryId, way: "revert" | "bring"): void
  branch(entry: EntryId): void
  label(entry: EntryId): void
  /** Why nothing can be changed now; undefined if it can. */
  blocked?: string | undefined
  branchBlocked?: string | undefined
}
