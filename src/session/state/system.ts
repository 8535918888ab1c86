// The real clock and real randomness, for callers that pass no others.
import { randomBytes, randomFillSync } from "node:crypto"
import { makeIds } from "../../model/id.ts"
import type { Workspace, WorkspaceSettings } from "../../workspace/port.ts"
import type { SessionOptions } from "./open-session.ts"

/** What a session needs, with the clock and the ids of the system where no others are given. */
export function systemOptions(given: Partial<SessionOptions> = {}): SessionOptions {
  const ids = given.ids ?? makeIds({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) })
  return { ...given, ids, now: given.now ?? (() => new Date().toISOString()) }
}

export interface GitWorkspaceOptions {
  /** The folder to cover: the session's. */
  root: string
  /** Where snapshots are kept: outside `root`. Sessions in one home share what they have in common. */
  home: string
  /** Any name that no other open session has; a session's id is one. */
  session: string
  settings?: Partial<WorkspaceSettings>
  /** The person's home directory; covering it has to be allowed. */
  personHome?: string
}

/** Snapshots of a folder, as git objects, without running git. Rejects with `no-workspace` when it cannot be opened. */
export async function gitWorkspace(options: GitWorkspaceOptions): Promise<Workspace> {
  const { openGitWorkspace } = await import("../../workspace/git/git-workspace.ts")
  return openGitWorkspace({ ...options, clock: () => Date.now(), newId: () => randomBytes(8).toString("hex") })
}
