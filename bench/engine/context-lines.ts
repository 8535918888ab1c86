// The lines that make up a context, for floors that read just those.
import { contextRows } from "../../src/history/context/context.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { KIND } from "../../src/model/record/record.ts"
import type { Session } from "../../src/session/session.ts"
import type { FileLog } from "../../src/store/file/log/log.ts"

export interface Line {
  offset: number
  length: number
}

/** The compaction and the messages; the single system prompt is left out, in the floor's favour. */
export function contextLines(session: Session): Line[] {
  const { history } = session.log as FileLog
  const { compaction, kept, rest } = contextRows(history, session.headRow)
  const rows = [...kept, ...rest].filter((row) => history.kind(row) === KIND.message)
  if (compaction !== NONE) rows.push(compaction)
  return rows.map((row) => ({ offset: history.offset(row), length: history.length(row) }))
}
