// How files differ between two points of the conversation, or between a point and now.
import { resolveEntry } from "../../history/plan/resolve.ts"
import { NONE } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { KIND } from "../../model/record/record.ts"
import type { DiffAnswer } from "../../protocol/host.ts"
import { noSnapshots } from "../../session/files/known/no-snapshots.ts"
import type { Session } from "../../session/session.ts"
import type { SnapshotId } from "../../workspace/port.ts"

type Found = { ok: true; id: SnapshotId } | { ok: false; failure: Failure }

interface DiffRequest {
  from?: string
  to?: string
  paths?: string[]
}

/** The patch as git needs it: with the files' own bytes, whatever their encoding. */
type ExactDiff =
  | Exclude<DiffAnswer, { outcome: "diff" }>
  | (Omit<Extract<DiffAnswer, { outcome: "diff" }>, "patch"> & { patch: Buffer })

/** For people: replaces bytes that are not UTF-8. */
export async function diffOf(session: Session, request: DiffRequest): Promise<DiffAnswer> {
  const answer = await exactDiff(session, request)
  return answer.outcome === "diff" ? { ...answer, patch: answer.patch.toString() } : answer
}

/** Without `from`: since the last prompt. Without `to`: the files as they are now. */
export async function exactDiff(session: Session, request: DiffRequest): Promise<ExactDiff> {
  const files = session.files.workspace
  if (files === undefined || files.unavailable !== undefined) {
    const why = session.files.unavailable ?? { reason: "no snapshots are taken here" }
    return { outcome: "refused", failure: { code: "no-workspace", ...why } }
  }
  const since = request.from ?? lastPrompt(session)
  const from = since === undefined ? NO_PROMPT : await find(session, since)
  if (!from.ok) return { outcome: "refused", failure: from.failure }
  const to: Found =
    request.to === undefined ? { ok: true, id: (await files.snapshot()).id } : await find(session, request.to)
  if (!to.ok) return { outcome: "refused", failure: to.failure }
  const within = request.paths === undefined ? {} : { paths: request.paths }
  const changes = await files.diff(from.id, to.id, within)
  return {
    outcome: "diff",
    patch: Buffer.from(await files.patch(from.id, to.id, within)),
    files: changes.map(({ path, change, added, removed }) => ({
      path,
      change,
      ...(added === undefined ? {} : { added }),
      ...(removed === undefined ? {} : { removed }),
    })),
  }
}

const NO_PROMPT: Found = {
  ok: false,
  failure: {
    code: "invalid",
    problem: "The conversation is empty: there is no prompt to compare the files with.",
    advice: [
      "Name an entry to compare with: ",
      { do: "diff", entry: "ENTRY" },
      ". See all entries with: ",
      { do: "log" },
    ],
  },
}

function lastPrompt(session: Session): string | undefined {
  const round = session.history.round(session.headRow)
  return round === 0 ? undefined : `@${round}`
}

async function find(session: Session, name: string): Promise<Found> {
  const resolved = resolveEntry(session.history, session.headRow, name)
  if (!resolved.ok) return resolved
  const id = await session.files.snapshotAt(resolved.row)
  if (id !== undefined) return { ok: true, id }
  const none = session.history.last(KIND.snapshot) === NONE
  const why = none ? noSnapshots(session.log) : { reason: "there is no snapshot of that point" }
  return { ok: false, failure: { code: "no-workspace", ...why } }
}
