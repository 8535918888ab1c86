// Which prompt last changed each line of a file, computed from the snapshots around each call.
import { appliedSpans } from "../../history/files/applied-changes.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"

export interface LineWithPrompt {
  line: number
  text: string
  /** The prompt of the round; null if the person changed the line, or it was there before. */
  prompt: EntryId | null
}

const PERSON = ""

/** Contract: throws `not-found` if the file does not exist now. */
export async function blameFile(
  session: OpenSession,
  files: Workspace,
  path: string,
  line?: number,
): Promise<LineWithPrompt[]> {
  const { history } = session
  const snapshots: { id: SnapshotId; label: string }[] = []
  for (const span of appliedSpans(history)) {
    const [before, after] = [parseSnapshotId(span.before), parseSnapshotId(span.after)]
    if (before === undefined || after === undefined || !span.changes.some((change) => change.path === path)) continue
    const prompt = history.prompt(span.entry)
    snapshots.push(
      { id: before, label: PERSON },
      { id: after, label: prompt < history.size ? history.id(prompt) : PERSON },
    )
  }
  const now = (await files.snapshot()).id
  if ((await files.blob(now, path)) === undefined)
    throw new RetconError({ code: "not-found", what: "file", name: path })
  snapshots.push({ id: now, label: PERSON })
  const blamed = await files.blame(path, { snapshots, ...(line === undefined ? {} : { line }) })
  return blamed.map(({ label, ...rest }) => ({ ...rest, prompt: label === PERSON ? null : (label as EntryId) }))
}
