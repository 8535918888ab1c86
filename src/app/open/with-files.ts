// A session on an open log, with the files of its directory.
import { directoryOf, snapshotStoreOf } from "../../history/tree/directory.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import { recoverAll } from "../../session/files/session-files.ts"
import { type Session, sessionOn } from "../../session/session.ts"
import type { SessionLog } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { loadAgentCopies } from "./load-agent-copies.ts"

/** Even if it has no snapshots yet. Finishes a killed restore first. */
export async function sessionWithFiles(deps: AppDeps, log: SessionLog): Promise<Session> {
  const earlier = await loadAgentCopies(log)
  const { openWorkspace } = await import("./workspace.ts")
  const workspace = await openWorkspace(deps, directoryOf(log), log.id, snapshotStoreOf(log.history))
  return closeOnFailure(workspace, async () => {
    const session = sessionOn(deps.store, log, {
      ...deps.sessionOptions,
      workspace,
      files: deps.settings.files,
      ...(earlier !== undefined && { earlier }),
    })
    for (const line of await recoverAll(session)) deps.warn(line)
    return session
  })
}

/** Runs `work` with the session on this log, and closes it. */
export async function withFilesOf<Value>(
  deps: AppDeps,
  log: SessionLog,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const session = await closeOnFailure(log, () => sessionWithFiles(deps, log))
  try {
    return await work(session)
  } finally {
    await closeWithFiles(session)
  }
}

export async function closeWithFiles(session: Session): Promise<void> {
  try {
    await session.close()
  } finally {
    await session.files.workspace?.close()
  }
}
