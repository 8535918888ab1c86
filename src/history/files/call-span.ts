// The time of one tool call, between the snapshots before and after it. The call made the differences; all other
// changes are the person's.
import type { SnapshotChange } from "../../model/record/record.ts"
import type { Row } from "../tree/tree.ts"
import type { SaidFile } from "./said-calls.ts"

export interface CallSpan {
  /** The rows of the snapshot records before and after. */
  opened: Row
  row: Row
  /** The entry with the tool call. */
  entry: Row
  call: string | undefined
  before: string
  after: string
  from: string
  until: string
  /** All files were examined, not only named ones. */
  whole: boolean
  changes: SnapshotChange[]
  /** No snapshot shows it, so `before` and `after` are empty: this is what the agent's own file tells. */
  said?: readonly SaidFile[]
}
