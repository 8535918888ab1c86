// Rules about command lines. Allowing is strict: every simple command must match. Denying is wide: any trace will do.
import { basename } from "node:path"
import { type SimpleCommand, simpleCommands } from "./shell-words.ts"

/** Commands whose second word says what they do: "for this session" then means those two words. */
const WITH_VERB = new Set(
  "git jj gh npm pnpm yarn bun cargo go docker kubectl make just mvn gradle dotnet pip uv".split(" "),
)

/** Commands that run what their arguments say: a denied command may stand anywhere behind them. */
const WRAPPERS = new Set(
  "sudo doas env xargs nohup nice time timeout exec command builtin eval sh bash zsh dash fish find watch ssh su setsid stdbuf parallel busybox".split(
    " ",
  ),
)

/** Whether the patterns of allow rules cover a whole command line. `=TEXT` is that command and no other. */
export function isCommandAllowed(line: string, patterns: readonly string[]): boolean {
  if (patterns.some((pattern) => pattern.startsWith("=") && pattern.slice(1).trim() === line.trim())) return true
  const commands = simpleCommands(line)
  if (commands === undefined || commands.length === 0) return false
  return commands.every((command) => patterns.some((pattern) => isPrefix(pattern, command)))
}

function isPrefix(pattern: string, command: SimpleCommand): boolean {
  const exact = pattern.startsWith("=")
  const words = patternWords(exact ? pattern.slice(1) : pattern)
  if (words === undefined || (exact && words.length !== command.words.length)) return false
  return words.every((word, i) => command.words[i]?.dynamic === false && command.words[i]?.text === word)
}

/** `git status`, `git status:*` and `git status *` are the same. Undefined: not one simple command. */
export function patternWords(pattern: string): string[] | undefined {
  const commands = simpleCommands(pattern.replace(/(?::| )\*$/, ""))
  const only = commands?.length === 1 ? commands[0] : undefined
  return only === undefined || only.words.some((word) => word.dynamic) ? undefined : only.words.map((word) => word.text)
}

/**
 * Whether a deny rule's pattern is in a command line. What is not surely understood, and what a wrapper such as sudo
 * runs, is searched word by word. A rule cannot stop a program that means to hide: it is no sandbox.
 */
export function isCommandDenied(line: string, pattern: string): boolean {
  const wanted = patternWords(pattern.replace(/^=/, "")) ?? bareWords(pattern)
  if (wanted.length === 0) return false
  const commands = simpleCommands(line)
  const sure = commands?.every(({ words }) => !WRAPPERS.has(basename(words[0]?.text ?? "")))
  if (commands === undefined || sure !== true) return holds(bareWords(line), wanted)
  return commands.some(({ words }) =>
    startsWith(
      words.map((word) => word.text),
      0,
      wanted,
    ),
  )
}

function bareWords(text: string): string[] {
  return text
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`{}$=]+/)
    .filter((word) => word !== "")
}

function holds(words: string[], wanted: string[]): boolean {
  return words.some((_, i) => startsWith(words, i, wanted))
}

function startsWith(words: string[], at: number, wanted: string[]): boolean {
  return wanted.every((word, i) => words[at + i] === word || (i === 0 && basename(words[at] ?? "") === word))
}

/** Rules for "yes, for this session": two words of a command with verbs, and otherwise exactly this command. */
export function commandGrants(line: string): string[] {
  const commands = simpleCommands(line)
  if (commands === undefined || commands.length === 0) return [`Bash(=${line.trim()})`]
  return [...new Set(commands.map(grant))]
}

function grant({ words, source }: SimpleCommand): string {
  const [program, verb] = words
  const hasVerb = program !== undefined && WITH_VERB.has(program.text) && verb !== undefined && !verb.dynamic
  return hasVerb && /^[a-z][a-z0-9:-]*$/.test(verb.text) ? `Bash(${program.text} ${verb.text})` : `Bash(=${source})`
}
