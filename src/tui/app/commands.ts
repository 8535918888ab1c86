// All slash commands: one table, from which completion and /help are made too.
import type { RetconError } from "../../model/failure/retcon-error.ts"
import { nearestWord } from "../../model/text/typo.ts"
import { openHelp } from "../overlay/help.ts"
import { type Command, type CommandContext, invalid } from "./command.ts"
import { MODEL_COMMANDS } from "./model-commands.ts"
import { MOVE_COMMANDS } from "./move-commands.ts"
import { PERMISSION_COMMANDS } from "./permission-commands.ts"
import { SESSION_COMMANDS } from "./session-commands.ts"

export const COMMANDS: readonly Command[] = [
  ...MOVE_COMMANDS,
  ...MODEL_COMMANDS,
  ...PERMISSION_COMMANDS,
  ...SESSION_COMMANDS,
  {
    name: "help",
    hint: "",
    about: "commands and keys (or ?)",
    run: (app) => openHelp(app.screen, { commands: COMMANDS, keys: app.keys }),
  },
  { name: "quit", hint: "", about: "leave", run: (app) => app.quit() },
]

export function isCommand(name: string): boolean {
  return COMMANDS.some((each) => each.name === name)
}

/** Contract: never throws; the conversation shows what went wrong. */
export async function runCommand(app: CommandContext, line: string): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const command = COMMANDS.find((each) => each.name === name)
  try {
    if (command === undefined) throw unknownCommand(name)
    await command.run(app, argument.trim())
  } catch (error) {
    app.fail(error)
  }
}

function unknownCommand(name: string): RetconError {
  const names = COMMANDS.map((each) => each.name)
  const near = nearestWord(name, names)
  const hint = near === undefined ? "" : `Did you mean /${near}? `
  return invalid(`There is no command /${name}.`, `${hint}List them with: /help`)
}
