// What a person can do at each prompt.
import type { EntryId } from "../../src/model/id.ts"

export interface PromptActions {
  rewind(entry: EntryId): void
  branch(entry: EntryId): void
  label(entry: EntryId): void
  /** Why nothing can be changed now; undefined if it can. */
  blocked?: string | undefined
  branchBlocked?: string | undefined
}
