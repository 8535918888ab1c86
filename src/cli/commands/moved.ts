// retcon moved OLD: this folder used to be OLD; its sessions and snapshots belong here from now on.
import { makeLibrary } from "../../app/library/library.ts"
import { isFolder } from "../../app/library/moved-folder.ts"
import { realPath } from "../../app/open/workspace-path.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import type { MovedAnswer } from "../../protocol/library.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"

interface MovedOptions {
  old: string
  undo?: boolean
  force?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: MovedOptions): Promise<number | undefined> {
  const { old: typed, undo = false, force = false, dryRun = false } = options
  const old = realPath(cli.cwd, typed)
  const [from, to] = undo ? [cli.cwd, old] : [old, cli.cwd]
  const library = makeLibrary(cli)
  const request = { from, to, force, back: undo }
  if (!dryRun && options.yes !== true && options.json !== true && cli.in.isTerminal) {
    const { folders } = await library.moved({ ...request, dryRun: true })
    cli.out.write(folderLines(folders))
    const answer = await cli.in.ask(`Move ${sessionsIn(folders)}, with the snapshots? [y/N] `)
    if (!isYes(answer)) {
      cli.out.write("Nothing was changed.\n")
      return 1
    }
  }
  const moved = await library.moved({ ...request, dryRun })
  if (options.json === true) {
    printJson(cli.out, moved)
    return undefined
  }
  const { folders, untold } = moved
  cli.out.write(`${dryRun ? "Would move" : "Moved"} ${sessionsIn(folders)}, with the snapshots:\n`)
  cli.out.write(folderLines(folders))
  if (untold.length > 0) {
    const ids = untold.map(shortId).join(", ")
    cli.out.write(`Listed here without their files, because retcon cannot write their logs: ${ids}.\n`)
  }
  if (dryRun) cli.out.write("Nothing was changed.\n")
  else cli.out.write(`Undo it with: ${wayBack(old, undo)}\n`)
  return undefined
}

function sessionsIn(folders: MovedAnswer["folders"]): string {
  const all = folders.reduce((sum, { sessions }) => sum + sessions.length, 0)
  return count(all, "session")
}

function folderLines(folders: MovedAnswer["folders"]): string {
  return folders
    .map(({ from, to, sessions }) => `  ${sanitiseLine(from)} → ${sanitiseLine(to)} (${sessions.length})\n`)
    .join("")
}

function wayBack(old: string, undo: boolean): string {
  return `retcon moved ${shellWord(old)}${undo ? (isFolder(old) ? " --force" : "") : " --undo"}`
}
