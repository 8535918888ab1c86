// Files that stay as they are when the head moves: how they differ from there, and which commits were made since.
import { type SpansToRestore, spansToRestore } from "../../history/files/applied-changes.ts"
import type { MovePlan } from "../../history/plan/plan.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Moved } from "../../model/move/moved.ts"
import type { OpenSession } from "../state/open-session.ts"
import { commitsOf, type RepositoryMoved, repositoriesMoved } from "./commits.ts"
import { whyNoRestore } from "./modes.ts"
import { momentOf } from "./restore-moment.ts"
import { differing } from "./steps.ts"

/** What is told of the files. Nothing of it is needed to move. */
export interface ToldOfFiles {
  /** Reads what the log says. `described` does it if nobody has: the move's own record changes nothing about it. */
  readonly look: () => void
  readonly described: () => Promise<Partial<Moved>>
}

export function toldOfKept(session: OpenSession, plan: MovePlan): ToldOfFiles {
  const { generation } = session.log
  let kept: Kept | undefined
  const look = () => {
    // Another program has overwritten the log: the plan's rows mean nothing any more.
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

/** The move may have been recorded already: what keeps us from looking at the files does not make it fail. */
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
