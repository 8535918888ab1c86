// Who last changed each line of a file, computed from the snapshots around each call: of one session, or of all that worked on it.
import { appliedSpans } from "../../history/files/applied-changes.ts"
import type { History } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { blameLines } from "../../workspace/plan/blame.ts"
import { parseSnapshotId, type Workspace } from "../../workspace/port.ts"
import type { OpenSession } from "../state/open-session.ts"

export interface LineWithPrompt {
  line: number
  text: string
  /** The prompt of the round; null if the person changed the line, or it was there before. */
  prompt: EntryId | null
}

/** What a call did to one file, and when: ISO times. Undefined bytes: there was no file. */
export interface WrittenBytes {
  from: string
  until: string
  before: Uint8Array | undefined
  after: Uint8Array | undefined
  prompt: EntryId | null
}

/** Contract: throws `not-found` if the file does not exist now. */
export async function blameFile(
  session: OpenSession,
  files: Workspace,
  path: string,
  line?: number,
): Promise<LineWithPrompt[]> {
  const now = await files.blob((await files.snapshot()).id, path)
  if (now === undefined) throw new RetconError({ code: "not-found", what: "file", name: path })
  return blameWritten(await writtenIn(session.history, files, path), now)
    .filter((blamed) => line === undefined || blamed.line === line)
    .map(({ by, ...rest }) => ({ ...rest, prompt: by?.prompt ?? null }))
}

/** What a session's calls did to a file and that is still so, oldest first. A snapshot that is gone is left out. */
export async function writtenIn(history: History, files: Workspace, path: string): Promise<WrittenBytes[]> {
  const written: WrittenBytes[] = []
  for (const span of appliedSpans(history)) {
    const [before, after] = [parseSnapshotId(span.before), parseSnapshotId(span.after)]
    if (before === undefined || after === undefined || !span.changes.some((change) => change.path === path)) continue
    const prompt = history.prompt(span.entry)
    const { from, until } = span
    try {
      written.push({
        from,
        until,
        before: await files.blob(before, path),
        after: await files.blob(after, path),
        prompt: prompt < history.size ? (history.id(prompt) as EntryId) : null,
      })
    } catch (error) {
      if (!(error instanceof RetconError && error.code === "snapshot-gone")) throw error
    }
  }
  return written
}

/**
 * `written`: of any sessions, in any order; `now`: the file's content. What was found before a call, and no call before it had
 * left, is the person's, unless another session's call was changing the file at that time.
 */
export function blameWritten<Each extends WrittenBytes>(
  written: readonly Each[],
  now: Uint8Array,
): { line: number; text: string; by: Each | undefined }[] {
  const steps = written.flatMap((each) => [
    { at: each.from, bytes: each.before, by: written.find((other) => other !== each && isDuring(each.from, other)) },
    { at: each.until, bytes: each.after, by: each },
  ])
  // Stable: of one call, and of calls with equal times, the order stays.
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const versions = steps.map(({ bytes, by }) => ({
    label: by === undefined ? "" : String(written.indexOf(by)),
    bytes: bytes && Buffer.from(bytes),
  }))
  const blamed = blameLines([...versions, { label: "", bytes: Buffer.from(now) }])
  return blamed.map(({ label, ...rest }) => ({ ...rest, by: label === "" ? undefined : written[Number(label)] }))
}

function isDuring(at: string, { from, until }: WrittenBytes): boolean {
  return from < at && at < until
}
