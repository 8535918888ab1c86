// Rules that forbid command lines. Broad: any trace is enough. A rule cannot stop a program that wants to hide.
import { basename } from "node:path"
import { patternWords } from "./allow-command.ts"
import { simpleCommands } from "./shell-words.ts"

/** Commands that run their arguments: a denied command may be anywhere after them. */
const WRAPPERS = new Set(
  "sudo doas env xargs nohup nice ionice time timeout exec command builtin eval sh bash zsh dash ksh fish find watch ssh su setsid stdbuf parallel busybox toybox flock chroot unshare nsenter strace script trap npx pnpx bunx uvx pipx corepack entr systemd-run bwrap".split(
    " ",
  ),
)

/**
 * Whether a command line contains a deny rule's pattern. Anything uncertain, and what a wrapper such as sudo runs, is
 * searched word by word. Between the words of a pattern there may be options, each with a value; flags count in any
 * order, combined or separate, short or long.
 */
export function isCommandDenied(line: string, pattern: string): boolean {
  const wanted = patternWords(pattern.replace(/^=/, "")) ?? bareWords(pattern)
  if (wanted.length === 0) return false
  const commands = simpleCommands(line)
  const sure = commands?.every(({ words }) => !runsOthers(words.map((word) => word.text)))
  if (commands === undefined || sure !== true) {
    return holds(bareWords(line), wanted) || holds(bareWords(line.replaceAll("=", "_")), wanted)
  }
  return commands.some(({ words }) =>
    isCommand(
      words.map((word) => word.text),
      0,
      wanted,
    ),
  )
}

const PACKAGE_MANAGERS = new Set(["npm", "pnpm", "yarn", "bun"])

/** `git -c alias.x=push x` is a push too. */
function runsOthers(words: readonly string[]): boolean {
  const program = basename(words[0] ?? "")
  if (PACKAGE_MANAGERS.has(program) && words.some((word) => /^(?:exec|x|dlx)$/.test(word))) return true
  return WRAPPERS.has(program) || (program === "git" && words.some((word) => /^(?:-c$|--config-env)/.test(word)))
}

function bareWords(text: string): string[] {
  return text
    .replace(/["'\\]/g, "")
    .split(/[\s;&|()<>`{}$=!]+/)
    .filter((word) => word !== "")
}

function holds(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, i) => isCommand(words, i, wanted))
}

function isCommand(words: readonly string[], at: number, [program, ...wanted]: readonly string[]): boolean {
  if (words[at] !== program && basename(words[at] ?? "") !== program) return false
  const rest = words.slice(at + 1)
  const flags = new Set(rest.flatMap(flagsOf))
  const names = wanted.filter((word) => !isOption(word))
  return (
    wanted
      .filter(isOption)
      .flatMap(flagsOf)
      .every((flag) => hasFlag(flags, flag)) && inOrder(rest, names)
  )
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
function inOrder(words: readonly string[], names: readonly string[]): boolean {
  const [name, ...others] = names
  if (name === undefined) return true
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    if (isOption(word)) continue
    if (word === name && inOrder(words.slice(i + 1), others)) return true
    if (i === 0 || !isOption(words[i - 1] as string)) return false
  }
  return false
}
