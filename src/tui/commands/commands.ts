// All slash commands: one table, from which completion and /help are made too.
import { agentTitle } from "../../model/agent-title.ts"
import type { RetconError } from "../../model/failure/retcon-error.ts"
import { nearestWord } from "../../model/text/typo.ts"
import { CHOICE_COMMANDS } from "./choice-commands.ts"
import { type Command, type CommandTerminal, invalid } from "./command.ts"
import { MOVE_COMMANDS } from "./move-commands.ts"
import { SESSION_COMMANDS } from "./session-commands.ts"
import { isTheirs } from "./their-commands.ts"

export const COMMANDS: readonly Command[] = [
  ...MOVE_COMMANDS,
  ...CHOICE_COMMANDS,
  ...SESSION_COMMANDS,
  { name: "help", hint: "", about: "commands and keys (or ?)", run: ({ show }) => show.help() },
  { name: "quit", hint: "", about: "leave", run: (terminal) => terminal.quit() },
]

export function isCommand(name: string): boolean {
  return COMMANDS.some((each) => each.name === name)
}

/**
 * `more`: commands that only this terminal has. `send`: sends the line, if it names a skill, a command file or a command of another
 * agent's program. Contract: never throws; the terminal says what went wrong.
 */
export async function runCommand(
  terminal: CommandTerminal,
  line: string,
  more: readonly Command[] = [],
  send?: () => Promise<void>,
): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const all = [...COMMANDS, ...more]
  const command = all.find((each) => each.name === name)
  /** A name that is unknown here stays unknown if their program cannot be asked: while it has the session open, for example. */
  const unasked = (error: unknown) => {
    throw command === undefined ? unknownCommand(name, all, whyUnasked(terminal, error)) : error
  }
  try {
    // Only where a program is asked is anything waited for: a page is open before the next key comes.
    const theirs = send !== undefined && isTheirs(terminal, name, command !== undefined)
    if (theirs !== false && (await theirs.catch(unasked))) return await send?.()
    if (command === undefined) {
      const isFile = (await terminal.session.reading()).some((row) => row.used && row.name === name)
      if (isFile && send !== undefined) return await send()
      throw unknownCommand(name, all)
    }
    await command.run(terminal, argument.trim())
  } catch (error) {
    terminal.fail(error)
  }
}

function whyUnasked({ session }: CommandTerminal, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error)
  return ` Which ones ${agentTitle(session.agent ?? "")} itself has is not known: ${why}`
}

function unknownCommand(name: string, all: readonly Command[], more = ""): RetconError {
  const near = nearestWord(
    name,
    all.map((each) => each.name),
  )
  const hint = near === undefined ? "" : `Did you mean /${near}? `
  return invalid(`There is no command /${name}.${more}`, `${hint}List them with: /help`)
}
