// Asks the person whether they trust what a directory configures, and shows all of it.
import {
  answerTrust,
  type FolderConfig,
  ownConfig,
  readFolderConfig,
  WORKSPACE_FILE,
  withheldFrom,
} from "../../app/config/folder-trust.ts"
import { pieces, visible } from "../../model/text/visible.ts"
import type { Cli } from "../port/cli.ts"
import { askPaged } from "../process/paged.ts"

/** Asks at a terminal, once for each state of the file. None of it has been used before. */
export async function askForTrust(cli: Pick<Cli, "home" | "cwd" | "in" | "err">): Promise<void> {
  if (!cli.in.isTerminal) return
  const workspace = readFolderConfig(cli.cwd, ownConfig(cli.home))
  const keys = workspace.trust === "unknown" ? withheldFrom(workspace) : []
  if (keys.length === 0) return
  const how = workspace.changed ? "has changed, and configures" : "configures"
  cli.err.write(`This folder's ${WORKSPACE_FILE} ${how} what the agent may do and which programs it starts:\n`)
  const asked = { choices: [], question: "Use it? Only if you know where it comes from. [y/N] " }
  const answer = (await askPaged(cli, trustLines(workspace, cli.err.width), asked)).trim().toLowerCase()
  answerTrust(cli.home, cli.cwd, workspace.hash, answer === "y" || answer === "yes" ? "yes" : "no")
}

/** Everything that trusting the folder would enable, with every character visible. */
export function trustLines(workspace: FolderConfig, width: number): string[] {
  const asked = withheldFrom({ ...workspace, trust: "unknown" })
  return asked.flatMap((key) =>
    `${key}: ${JSON.stringify(workspace.config?.[key], undefined, 2)}`.split("\n").flatMap((line) => {
      const [first = "", ...more] = pieces(visible(line), width - 4)
      return [`  ${first}`, ...more.map((piece) => `  ↳ ${piece}`)]
    }),
  )
}
