// The reference names everything that can be typed: no command and no option is left to be found by chance.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Command } from "commander"
import { expect, test } from "vitest"
import { makeProgram } from "../../src/cli/program.ts"

const page = (name: string) => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8").split("\n")
const [CLI, TERMINAL] = [page("cli.md"), page("terminal.md")]
const never = () => Promise.reject(new Error("nothing is run"))
const program = makeProgram({ version: "0.0.0", write: () => undefined, start: never, done: () => undefined })
const commands = program
  .createHelp()
  .visibleCommands(program)
  .filter((command) => command.name() !== "help")

const MOVES = ["back", "goto", "undo", "redo", "restore", "revert", "bring", "pick"]

/** The lines about a command: those that name it, and the sections that it shares with others, where they have the same options. */
function linesAbout(name: string): string[] {
  if (name === "tui") return TERMINAL
  let section = ""
  return CLI.filter((line) => {
    if (line.startsWith("## ")) section = line.slice(3).trim()
    if (section === name || (MOVES.includes(name) && ["Moves", "Files"].includes(section))) return true
    return new RegExp(`\\b${name}\\b`).test(line) || /^All (?:of these )?take/.test(line)
  })
}

const has = (lines: readonly string[], word: string) =>
  lines.some((line) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(line))

test.each(commands.map((command) => [command.name(), command] as [string, Command]))(
  "there is a line for retcon %s, and one for each of its options",
  (name, command) => {
    const lines = linesAbout(name)
    expect(has(lines, name === "tui" ? "retcon" : `retcon ${name}`)).toBe(true)
    const names = command.options.map(({ short, long }) => [short, long].filter((each) => each !== undefined))
    expect(names.filter((either) => !either.some((each) => has(lines, each)))).toEqual([])
  },
)
