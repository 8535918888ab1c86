// The time of one tool call, between the snapshots before and after it: the call changed what differs; all else is
// the person's.
import type { SnapshotChange } from "../../model/record/record.ts"
import type { Row } from "../tree/tree.ts"

export interface CallSpan {
  /** The rows of its records before and after. */
  opened: Row
  row: Row
  /** The entry whose tool call it is. */
  entry: Row
  call: string | undefined
  before: string
  after: string
  from: string
  until: string
  /** All files were looked at, not only named ones. */
  whole: boolean
  changes: SnapshotChange[]
}
