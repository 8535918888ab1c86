// Rules that forbid command lines. Broad: any trace is enough. A rule cannot stop a program that wants to hide.
import { basename } from "node:path"
import { patternWords } from "./allow-command.ts"
import { WRAPPERS } from "./known-commands.ts"
import { literalWord, mayRun, roughCommands } from "./rough-commands.ts"
import { mayBecome, mayBeOption, simpleCommands, type Word } from "./shell-words.ts"

/** `perhaps`: it depends on what the shell makes of a word. */
export type Denial = "yes" | "perhaps" | "no"

/**
 * Whether a command line contains a deny rule's pattern. Anything uncertain, and what a wrapper such as sudo runs, is
 * searched word by word. Between the words of a pattern there may be options, each with a value; flags count in any
 * order, combined or separate, short or long. A word that the shell expands is perhaps anything that it could become.
 */
export function denialOf(line: string, pattern: string): Denial {
  const wanted = patternWords(pattern.replace(/^=/, "")) ?? bareWords(pattern)
  if (wanted.length === 0) return "no"
  const commands = simpleCommands(line)?.map(({ words }) => words)
  const sure = commands?.every((words) => !runsOthers(words.map(asWritten))) === true
  const certain = sure
    ? commands.some((words) => isCommand(words.map(asWritten), 0, wanted))
    : [line, line.replaceAll("=", "_")].some((text) => holds(bareWords(text).map(literalWord), wanted))
  if (certain) return "yes"
  const perhaps = (commands ?? roughCommands(line)).some((words) =>
    runsOthers(words) ? holds(words, wanted) : isCommand(words, 0, wanted),
  )
  return perhaps ? "perhaps" : "no"
}

/** Whether it certainly contains it, as far as the words show. */
export function isCommandDenied(line: string, pattern: string): boolean {
  return denialOf(line, pattern) === "yes"
}

function asWritten({ text }: Word): Word {
  return literalWord(text)
}

const PACKAGE_MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"])

/** `git -c alias.x=push x` is a push too. */
function runsOthers(words: readonly Word[]): boolean {
  const program = basename(words[0]?.text ?? "")
  const [, first] = words
  const runs = (word: Word) => RUNNING.some((name) => mayBecome(word, name))
  if (PACKAGE_MANAGERS.has(program) && words.some((word) => (word === first || isLiteral(word)) && runs(word)))
    return true
  return (
    WRAPPERS.has(program) ||
    program === "find" ||
    (program === "git" && words.some(({ text }) => /^(?:-c$|--config-env)/.test(text)))
  )
}

const RUNNING = ["exec", "x", "dlx"]

function isLiteral({ becomes }: Word): boolean {
  return becomes === "itself"
}

function bareWords(text: string): string[] {
  return text
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`{}$=!]+/)
    .filter((word) => word !== "")
}

function holds(words: readonly Word[], wanted: readonly string[]): boolean {
  return words.some((_, i) => isCommand(words, i, wanted))
}

function isCommand(words: readonly Word[], at: number, [program = "", ...wanted]: readonly string[]): boolean {
  const first = words[at]
  if (first === undefined || !mayRun(first, program)) return false
  if (mayBeAnything(first)) return true
  const rest = words.slice(at + 1)
  const flags = new Set(rest.flatMap(({ text }) => flagsOf(text)))
  const unsure = rest.filter((word) => !isLiteral(word) && mayBeOption(word))
  const names = wanted.filter((word) => !isOption(word))
  return (
    wanted
      .filter(isOption)
      .flatMap(flagsOf)
      .every((flag) => hasFlag(flags, flag) || unsure.length > 0) && inOrder(rest, names)
  )
}

/** Any number of any words: the rest of a command too. */
function mayBeAnything({ becomes, begins }: Word): boolean {
  return becomes === "several" && begins === ""
}

function isOption(word: string): boolean {
  return /^-./.test(word)
}

/** `-rf` is `-r` and `-f`; `--force=x` is `--force`. A word such as find's `-delete` also counts as a whole. */
function flagsOf(word: string): string[] {
  if (!isOption(word)) return []
  if (word.startsWith("--")) return [word.replace(/=.*$/s, "")]
  return word.length === 2
    ? [word]
    : [
        ...word
          .slice(1)
          .split("")
          .map((letter) => `-${letter}`),
        ...(/^-[a-z]{4,}$/.test(word) ? [word] : []),
      ]
}

const SAME: Readonly<Record<string, readonly string[]>> = {
  "-r": ["-R", "--recursive"],
  "-R": ["-r", "--recursive"],
  "--recursive": ["-r", "-R"],
  "-f": ["--force"],
  "--force": ["-f"],
}

function hasFlag(flags: ReadonlySet<string>, wanted: string): boolean {
  const names = [wanted, ...(SAME[wanted] ?? [])]
  // A long option may be abbreviated: `--forc`.
  const long = names.filter((name) => name.startsWith("--"))
  return (
    names.some((name) => flags.has(name)) ||
    [...flags].some((flag) => flag.length > 3 && long.some((name) => flag.startsWith("--") && name.startsWith(flag)))
  )
}

/** The names in order, with nothing between them but options and their possible values. */
function inOrder(words: readonly Word[], names: readonly string[]): boolean {
  const [name, ...others] = names
  if (name === undefined) return true
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    if (mayBeAnything(word)) return true
    if (mayBecome(word, name) && inOrder(words.slice(i + 1), others)) return true
    if (mayBeSkipped(word)) continue
    const before = words[i - 1]
    if (before === undefined || !mayBeSkipped(before)) return false
  }
  return false
}

function mayBeSkipped(word: Word): boolean {
  return mayBeOption(word) || word.text === "--"
}
