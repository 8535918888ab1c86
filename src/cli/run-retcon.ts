// One call of retcon: from what was typed to an exit code. Tests call this; main.ts adds the process around it.
import type { Command } from "commander"
import type { Cli, Output } from "./port/cli.ts"
import { EXIT, report } from "./port/errors.ts"
import { type Globals, makeProgram, onlyCommand, type ProgramDeps } from "./program.ts"

export interface Call {
  version: string
  out: Output
  err: Output
  debug: boolean
  start: (globals: Globals) => Promise<Cli>
}

/** Contract: never throws; `words` are what follows the program's name. */
export async function runCommand(words: readonly string[], call: Call): Promise<number> {
  let exit: number = EXIT.done
  let command = ""
  const deps: ProgramDeps = {
    version: call.version,
    write: (text) => call.out.write(text),
    width: call.out.width,
    start: call.start,
    done: (code) => (exit = code),
    failing: (name) => (command = name),
  }
  const program = makeProgram(deps, onlyCommand(withCommand(words, call.out.isTerminal)))
  try {
    const meant = unknownCommand(program, words) ?? withCommand(words, call.out.isTerminal)
    await program.parseAsync(meant, { from: "user" })
    return exit
  } catch (error) {
    const all = makeProgram(deps)
    const commands = all
      .createHelp()
      .visibleCommands(all)
      .map((each) => each.name())
    return report(error, call.err, { json: wantsJson(words), debug: call.debug, command, commands, words })
  }
}

/** Asking for help on a command that does not exist is a mistake: answered as the command itself would be. */
function unknownCommand(program: Command, words: readonly string[]): [string] | undefined {
  const named = words.filter((word, index) => !word.startsWith("-") && words[index - 1] !== "--color")
  const asksHelp = words.some((word) => word === "--help" || word === "-h")
  const name = named[0] === "help" ? named[1] : asksHelp ? named[0] : undefined
  if (name === undefined || name === "help") return undefined
  return program.commands.some((command) => command.name() === name) ? undefined : [name]
}

/** Even if the arguments could not be parsed: a script that asked for JSON gets its errors as JSON. */
export function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf("--")
  return (end === -1 ? words : words.slice(0, end)).includes("--json")
}

const GLOBALS: ReadonlyMap<string, number> = new Map([
  ["--color", 2],
  ["--no-pager", 1],
])

const OWN =
  /^(?:-c|--continue|-r|--resume|--agent|--plain|--model|--mode|--think|--allow|--sandbox|--no-backtrack)(?:=|$)/

/**
 * `retcon` without a command is the agent in this terminal. The words with the command's name added, if it was omitted.
 * `terminal`: a person is there.
 */
export function withCommand(words: readonly string[], terminal: boolean): string[] {
  // What other programs take for it.
  if (words.length === 1 && (words[0] === "-v" || words[0] === "version")) return ["--version"]
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    const taken = GLOBALS.get(word) ?? (word.startsWith("--color=") ? 1 : undefined)
    if (taken === undefined) break
    at += taken
  }
  const next = words[at]
  // No command has a space in its name: a word with a space is a prompt.
  const own = next === undefined ? terminal : OWN.test(next) || /^[^-]\S*\s/.test(next)
  return own ? [...words.slice(0, at), "tui", ...words.slice(at)] : [...words]
}
