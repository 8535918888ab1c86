// Files that are left alone when the head moves: how they differ from the target, and which commits were made since.
import { type SpansToRestore, spansToRestore } from "../../history/files/applied-changes.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Moved } from "../../model/move/moved.ts"
import type { OpenSession } from "../state/open-session.ts"
import { commitsOf, type RepositoryMoved, repositoriesMoved } from "./known/commits.ts"
import { momentOf } from "./known/undo-files.ts"
import { whyNoRestore } from "./move-modes.ts"
import { differing } from "./plan/restore-way.ts"

/** What to report to the person about the files. The move itself does not need it. */
export interface FilesReport {
  /** Reads the log. `described` does so if it has not been read; the move's own record makes no difference. */
  readonly look: () => void
  readonly described: () => Promise<Partial<Moved>>
}

export function reportOnKept(session: OpenSession, plan: MovePlan): FilesReport {
  const { generation } = session.log
  let kept: Kept | undefined
  const look = () => {
    // Another program has overwritten the log: the plan's rows are no longer valid.
    kept ??= session.log.generation === generation ? lookAt(session, plan) : NOTHING
    return kept
  }
  return { look, described: () => describe(session, plan, look()) }
}

interface Kept {
  spans: SpansToRestore
  repositories: RepositoryMoved[]
}

const NOTHING: Kept = { spans: { takeBack: [], bringAgain: [] }, repositories: [] }

function lookAt(session: OpenSession, plan: MovePlan): Kept {
  return {
    spans: spansToRestore(session.history, momentOf(session, plan)),
    repositories: repositoriesMoved(session.history, plan),
  }
}

/** Never fails, because the move may have been recorded already. */
async function describe(session: OpenSession, plan: MovePlan, { spans, repositories }: Kept): Promise<Partial<Moved>> {
  const files = differing(spans)
  const told = { filesMode: "keep" as const, files }
  try {
    const why = files.length === 0 ? null : await whyNoRestore(session, plan, spans)
    const commits = await commitsOf(session, repositories)
    return { ...told, commits, ...(why !== null && { notRestorable: why }) }
  } catch (error) {
    if (error instanceof RetconError) return { ...told, notRestorable: error.message }
    throw error
  }
}
