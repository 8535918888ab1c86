// Who changed each file since a moment, as far as the snapshots around calls show.
import { spansToRestore } from "../../history/files/applied-changes.ts"
import type { CallSpan } from "../../history/files/call-span.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import { parseSnapshotId, type SnapshotId } from "../../workspace/port.ts"
import type { NamedMoment } from "./named-moment.ts"

const OTHERS = "you or another program"
const NOT_WATCHED = "not recorded: the agent, you or another program"

/** For each path in `changed`, words to put after it on its line. `now`: the snapshot they were compared with. */
export async function whoChanged(
  session: Session,
  then: NamedMoment,
  changed: readonly string[],
  now: SnapshotId,
): Promise<Map<string, string>> {
  const last = new Map<string, CallSpan>()
  for (const span of spansToRestore(session.history, then.moment).takeBack)
    for (const { path } of span.changes) if (!last.has(path)) last.set(path, span)
  const since = await changedAfter(then, last, now)
  const unknown = then.watched ? OTHERS : NOT_WATCHED
  return new Map(
    changed.map((path) => {
      const span = last.get(path)
      if (span === undefined) return [path, unknown]
      return [path, `${byCall(session, span, path)}${since.has(path) ? `, then ${OTHERS}` : ""}`]
    }),
  )
}

/** Paths that differ from what the last call left. A snapshot that is gone shows nothing. */
async function changedAfter(
  { files }: NamedMoment,
  last: ReadonlyMap<string, CallSpan>,
  now: SnapshotId,
): Promise<Set<string>> {
  const bySnapshot = new Map<SnapshotId, string[]>()
  for (const [path, { after }] of last) {
    const id = parseSnapshotId(after)
    if (id !== undefined) bySnapshot.set(id, [...(bySnapshot.get(id) ?? []), path])
  }
  const found = new Set<string>()
  for (const [after, paths] of bySnapshot) {
    try {
      for (const { path } of await files.diff(after, now, { paths })) found.add(path)
    } catch (error) {
      if (!(error instanceof RetconError && error.code === "snapshot-gone")) throw error
    }
  }
  return found
}

function byCall({ history }: Session, span: CallSpan, path: string): string {
  const record = history.record(span.entry)
  const parts = record?.type === "message" ? record.content : []
  const call = parts.find((part) => part.type === "tool-call" && part.call === span.call)
  const name = call?.type === "tool-call" ? ` with ${sanitiseLine(call.name)}` : ""
  const perhaps = span.changes.some((change) => change.path === path && change.during !== undefined)
  return `the agent${name}, after @${history.round(span.entry)}${perhaps ? ", or you while it ran" : ""}`
}
