// retcon moved OLD: this folder used to be OLD; its sessions and snapshots belong here from now on.
import { relative } from "node:path"
import { carryOutMoved, type FolderMove, isFolder, planMoved } from "../../app/library/moved-folder.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { realPath } from "../sessions/workspace-path.ts"

interface MovedOptions {
  old: string
  undo?: boolean
  force?: boolean
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** Contract: moves all sessions of the folder and of those in it, or none and throws a failure that says why. */
export async function run(cli: Cli, options: MovedOptions): Promise<number | undefined> {
  const old = realPath(cli.cwd, options.old)
  const undo = options.undo === true
  const [from, to] = undo ? [cli.cwd, old] : [old, cli.cwd]
  checkFolders(cli, old, options)
  const moves = await planMoved(cli, from, to, undo ? "back" : undefined)
  if (moves.length === 0)
    throw new RetconError({ code: "not-found", what: "session of the folder", name: sanitiseLine(old) })
  const sessions = moves.flatMap((move) => move.sessions)
  const dryRun = options.dryRun === true
  if (!dryRun && options.yes !== true && options.json !== true && cli.in.isTerminal) {
    cli.out.write(folderLines(moves))
    const answer = await cli.in.ask(`Move ${count(sessions.length, "session")}, with the snapshots? [y/N] `)
    if (!isYes(answer)) {
      cli.out.write("Nothing was changed.\n")
      return 1
    }
  }
  const untold = dryRun ? [] : await carryOutMoved(cli, moves, !undo)
  if (options.json === true) {
    printJson(cli.out, { from, to, dryRun, folders: moves, untold })
    return undefined
  }
  cli.out.write(`${dryRun ? "Would move" : "Moved"} ${count(sessions.length, "session")}, with the snapshots:\n`)
  cli.out.write(folderLines(moves))
  if (untold.length > 0) {
    const ids = untold.map(shortId).join(", ")
    cli.out.write(`Listed here without their files, because retcon cannot write their logs: ${ids}.\n`)
  }
  if (dryRun) cli.out.write("Nothing was changed.\n")
  else cli.out.write(`Undo it with: ${wayBack(old, undo)}\n`)
  return undefined
}

function folderLines(moves: readonly FolderMove[]): string {
  return moves
    .map(({ from, to, sessions }) => `  ${sanitiseLine(from)} → ${sanitiseLine(to)} (${sessions.length})\n`)
    .join("")
}

function wayBack(old: string, undo: boolean): string {
  return `retcon moved ${shellWord(old)}${undo ? (isFolder(old) ? " --force" : "") : " --undo"}`
}

/** A folder that still exists keeps its sessions, unless the person says otherwise. */
function checkFolders(cli: Cli, old: string, options: MovedOptions): void {
  const name = sanitiseLine(old)
  if (old === cli.cwd) {
    throw invalid(`${name} is this folder.`, "Name its old path: retcon moved OLD")
  }
  if (!relative(old, cli.cwd).startsWith("..")) {
    throw invalid(`This folder is inside ${name}.`, "Go to that folder's new location and run the command there.")
  }
  if (options.undo === true || options.force === true || !isFolder(old)) return
  throw invalid(
    `${name} is still there, and its sessions belong to it.`,
    `If they should belong to this folder instead: retcon moved ${shellWord(old)} --force`,
  )
}

function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}
