// Opens the files of a session's directory. If they cannot be covered, it says why, and everything else works.
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import { openNoWorkspace } from "../../workspace/none/no-workspace.ts"
import type { Workspace } from "../../workspace/port.ts"
import { readConfig } from "../config/config-file.ts"
import { personIgnore } from "../config/person-ignore.ts"
import { readWorkspaceSettings } from "../config/workspace-settings.ts"
import type { Cli } from "../port/cli.ts"
import { configFile } from "../process/home.ts"

/**
 * `store`: the id of the store with its snapshots. Contract: does not throw if a folder cannot be covered:
 * `unavailable` says why.
 */
export async function openWorkspace(cli: Cli, cwd: string, session: SessionId, store?: string): Promise<Workspace> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return openNoWorkspace(`${cwd} does not exist`, [
      "If it was moved, go to its new location and run: ",
      { do: "moved", folder: cwd },
    ])
  }
  try {
    const { openGitWorkspace } = await import("../../workspace/git/git-workspace.ts")
    const { settings, problems } = readWorkspaceSettings(readConfig(configFile(cli.home)))
    for (const problem of problems)
      cli.err.write(`retcon: config.json has a problem: ${problem}. retcon uses the default.\n`)
    return await openGitWorkspace({
      root: cwd,
      settings,
      home: cli.home,
      session,
      store,
      clock: cli.now,
      newId: () => randomBytes(8).toString("hex"),
      ...(cli.env.HOME === undefined ? {} : { personHome: cli.env.HOME }),
      ...personIgnore(cli.env),
    })
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    const { message, advice } = wordsFor(error.failure)
    return openNoWorkspace(message.replace(/\.$/, ""), advice)
  }
}
