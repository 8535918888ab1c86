// Opens the files of a session's directory. What cannot be covered is said, and everything else goes on.
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { RetconError } from "../model/failure.ts"
import { wordsFor } from "../model/failure-words.ts"
import type { SessionId } from "../model/id.ts"
import type { Workspace } from "../workspace/port.ts"
import type { Cli } from "./cli.ts"

/** Contract: never throws for a folder that cannot be covered: `unavailable` says why. */
export async function openWorkspace(cli: Cli, cwd: string, session: SessionId): Promise<Workspace> {
  const { openNoWorkspace } = await import("../workspace/none/open.ts")
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return openNoWorkspace(`${cwd} is not there`)
  }
  try {
    const { openGitWorkspace } = await import("../workspace/git/open.ts")
    return await openGitWorkspace({
      root: cwd,
      home: cli.home,
      session,
      clock: cli.now,
      newId: () => randomBytes(8).toString("hex"),
      ...(cli.env.HOME === undefined ? {} : { personHome: cli.env.HOME }),
    })
  } catch (error) {
    if (error instanceof RetconError) return openNoWorkspace(wordsFor(error.failure).message)
    throw error
  }
}
