// Asks the person whether they trust what a directory configures, and shows all of it.
import {
  answerTrust,
  type FolderConfig,
  ownConfig,
  readFolderConfig,
  type Shown,
  WORKSPACE_FILE,
  withheldFrom,
} from "../../app/config/folder-trust.ts"
import { promptFilesOf } from "../../app/config/reading.ts"
import { pieces, visible } from "../../model/text/visible.ts"
import type { Cli } from "../port/cli.ts"
import { askPaged } from "../process/paged.ts"

/** Asks at a terminal, once for each state of the files. Nothing of it has been used before. */
export async function askForTrust(cli: Pick<Cli, "home" | "cwd" | "env" | "in" | "err">): Promise<void> {
  if (!cli.in.isTerminal) return
  const asked = toTrust(cli, "undecided")
  if (asked === undefined) return
  cli.err.write(`${asked.words}:\n`)
  const question = { choices: [], question: "Use it? Only if you know where it comes from. [y/N] " }
  const answer = (await askPaged(cli, asked.lines(cli.err.width), question)).trim().toLowerCase()
  answerTrust(cli.home, cli.cwd, asked.shown, answer === "y" || answer === "yes" ? "yes" : "no")
}

export interface ToTrust {
  /** Nobody has answered for what is there now. */
  undecided: boolean
  /** Whether all of it is trusted. */
  trusted: boolean
  /** What it is, before a colon. */
  words: string
  lines(width: number): string[]
  shown: Shown
}

/** What this folder asks for and does not get until it is trusted, or of that what nobody has answered; undefined if there is nothing. */
export function toTrust(
  cli: Pick<Cli, "home" | "cwd" | "env">,
  which: "all" | "undecided" = "all",
): ToTrust | undefined {
  const workspace = readFolderConfig(cli.cwd, ownConfig(cli.home))
  const keys = withheldFrom({ ...workspace, trust: "unknown" })
  const { files, hash, trust } = promptFilesOf(cli, cli.cwd)
  const theirs = files.filter(({ whose }) => whose === "project")
  const all = [
    ...(keys.length > 0 ? [{ trust: workspace.trust, shown: { config: workspace.hash } }] : []),
    ...(theirs.length > 0 ? [{ trust, shown: { files: hash } }] : []),
  ]
  const parts = which === "all" ? all : all.filter((part) => part.trust === "unknown")
  if (parts.length === 0) return undefined
  const shown: Shown = Object.assign({}, ...parts.map((part) => part.shown))
  const how = workspace.changed ? "has changed, and configures" : "configures"
  const words = [
    ...(shown.config === undefined
      ? []
      : [`This folder's ${WORKSPACE_FILE} ${how} what the agent may do and which programs it starts`]),
    ...(shown.files === undefined ? [] : ["This folder has skills and commands for the agent"]),
  ]
  const texts = theirs.map(({ kind, name, description, path }) => `${kind} ${name}: ${description} (${path})`)
  return {
    undecided: parts.some((part) => part.trust === "unknown"),
    trusted: parts.every((part) => part.trust === "trusted"),
    words: words.join(". "),
    shown,
    lines: (width) => [
      ...(shown.config === undefined ? [] : trustLines(workspace, width)),
      ...(shown.files === undefined ? [] : texts.flatMap((text) => indented(text, width))),
    ],
  }
}

/** Everything that the folder's configuration would enable, with every character visible. */
function trustLines(workspace: FolderConfig, width: number): string[] {
  const asked = withheldFrom({ ...workspace, trust: "unknown" })
  return asked.flatMap((key) =>
    `${key}: ${JSON.stringify(workspace.config?.[key], undefined, 2)}`
      .split("\n")
      .flatMap((line) => indented(line, width)),
  )
}

function indented(line: string, width: number): string[] {
  const [first = "", ...more] = pieces(visible(line), width - 4)
  return [`  ${first}`, ...more.map((piece) => `  ↳ ${piece}`)]
}
