// The files of the workspace in a move. Snapshots are not taken yet: this is the one place that says so.
import { RetconError } from "../model/failure.ts"
import type { Cli } from "./cli.ts"

export type FilesChoice = "keep" | "restore"

/** What a move does with files: what the person asked for, else the setting. Throws when it cannot be done. */
export function filesChoice(cli: Cli, asked: FilesChoice | undefined): FilesChoice {
  const choice = asked ?? cli.settings.files
  if (choice === "restore")
    throw new RetconError({ code: "no-workspace", reason: "snapshots of files are not taken yet" })
  return choice
}
