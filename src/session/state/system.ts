// The real clock and real randomness, for callers that pass none.
import { randomBytes, randomFillSync } from "node:crypto"
import { makeIds } from "../../model/id.ts"
import type { Workspace, WorkspaceSettings } from "../../workspace/port.ts"
import type { SessionOptions } from "./open-session.ts"

/** A session's options, with the system's clock and ids where none are given. */
export function systemOptions(given: Partial<SessionOptions> = {}): SessionOptions {
  const ids = given.ids ?? makeIds({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) })
  return { ...given, ids, now: given.now ?? (() => new Date().toISOString()) }
}

export interface GitWorkspaceOptions {
  /** The session's folder, whose files are covered. */
  root: string
  /** Where snapshots are stored: outside `root`. Sessions in one home share what they have in common. */
  home: string
  /** A name that no other open session has, such as the session's id. */
  session: string
  settings?: Partial<WorkspaceSettings>
  /** The person's home directory; it is covered only if that is allowed. */
  personHome?: string
}

/** Snapshots of a folder, as git objects, without running git. Rejects with `no-workspace` if it cannot be opened. */
export async function gitWorkspace(options: GitWorkspaceOptions): Promise<Workspace> {
  const { openGitWorkspace } = await import("../../workspace/git/git-workspace.ts")
  return openGitWorkspace({ ...options, clock: () => Date.now(), newId: () => randomBytes(8).toString("hex") })
}
