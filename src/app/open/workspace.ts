// Opens the files of a session's directory. If they cannot be covered, it says why, and everything else works.
import { statSync } from "node:fs"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import { openNoWorkspace } from "../../workspace/none/no-workspace.ts"
import type { Workspace } from "../../workspace/port.ts"
import { readConfig } from "../config/config-file.ts"
import { configFile } from "../config/home.ts"
import { personIgnore } from "../config/person-ignore.ts"
import { readWorkspaceSettings } from "../config/workspace-settings.ts"
import type { AppDeps } from "../port/app-deps.ts"

/**
 * `store`: the id of the store with its snapshots. Contract: does not throw if a folder cannot be covered:
 * `unavailable` says why.
 */
export async function openWorkspace(
  deps: AppDeps,
  cwd: string,
  session: SessionId,
  store?: string,
): Promise<Workspace> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return openNoWorkspace(`${cwd} does not exist`, [
      "If it was moved, go to its new location and run: ",
      { do: "moved", folder: cwd },
    ])
  }
  try {
    const { openGitWorkspace } = await import("../../workspace/git/git-workspace.ts")
    const { settings, problems } = readWorkspaceSettings(readConfig(configFile(deps.home)))
    for (const problem of problems) deps.warn(`config.json has a problem: ${problem}. retcon uses the default.`)
    return await openGitWorkspace({
      root: cwd,
      settings,
      home: deps.home,
      session,
      store,
      clock: deps.now,
      newId: deps.newName,
      ...(deps.env.HOME === undefined ? {} : { personHome: deps.env.HOME }),
      ...personIgnore(deps.env),
    })
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    const { message, advice } = wordsFor(error.failure)
    return openNoWorkspace(message.replace(/\.$/, ""), advice)
  }
}
