// Restores to before our first snapshot of a session, with the copies of files that its own agent made.
import type { Moment } from "../../../history/files/applied-changes.ts"
import { chain, type History, isOnPath, NONE, prompts, type Row } from "../../../history/tree/tree.ts"
import { isEntryKind, KIND } from "../../../model/record/record.ts"
import { parseSnapshotId, type SnapshotId, type Step, type Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { copiesBefore } from "./copies-before.ts"

interface BeforeSnapshots {
  /** Use the agent's copies from this prompt on. */
  prompt: Row
  /** The row where our snapshots begin, and the first of them. */
  until: Row
  first: SnapshotId
}

/**
 * Undefined unless the agent made copies and a prompt lies between the moment and our first snapshot.
 * Contract: takes time in proportion to the session's snapshots, if its agent makes copies.
 */
export function beforeSnapshots(session: OpenSession, moment: Moment): BeforeSnapshots | undefined {
  const { history, earlier } = session
  if (earlier === undefined) return undefined
  const until = [...chain(history, KIND.snapshot)].at(-1) ?? NONE
  const record = until === NONE ? undefined : history.record(until)
  if (record?.type !== "snapshot") return undefined
  const first = parseSnapshotId(record.snapshot)
  const prompt = promptOf(session, moment)
  if (first === undefined || prompt === NONE || prompt >= until) return undefined
  const isItsOwn = record.when === "before" && roundOf(history, record.entry) === prompt
  return isItsOwn ? undefined : { prompt, until, first }
}

/** What the copies lead to: the step from our first snapshot, if any copy differs from it, and all files they know. */
export interface BeforeStep {
  step?: Step
  known: string[]
}

/** `told`: files whose changes are known call by call, for which copies are not used. */
export async function stepBefore(
  { earlier }: OpenSession,
  files: Workspace,
  { prompt, until, first }: BeforeSnapshots,
  told: readonly string[] = [],
): Promise<BeforeStep> {
  if (earlier === undefined || files.unavailable !== undefined) return { known: [] }
  const copies = await copiesBefore(earlier, files, prompt, until)
  const known = copies.map(({ path }) => path)
  const before = await files.put(copies)
  const paths = (await files.diff(before, first)).map(({ path }) => path).filter((path) => !told.includes(path))
  return paths.length === 0 ? { known } : { known, step: { before, after: first, paths } }
}

/** Copies are from before a prompt. For any other entry, that means before the next prompt. */
function promptOf({ history, head }: OpenSession, moment: Moment): Row {
  if ("before" in moment && isEntryKind(history.kind(moment.before))) return moment.before
  // Right before an operation, the head was where it came from.
  const entry = "before" in moment ? history.parent(moment.before) : moment.entry
  if (entry !== NONE && !isOnPath(history, entry, head)) return NONE
  return prompts(history, head).find((row) => entry === NONE || row > entry) ?? NONE
}

function roundOf(history: History, entry: string | null): Row {
  const row = entry === null ? NONE : history.rowOf(entry)
  return row === NONE ? NONE : history.prompt(row)
}
