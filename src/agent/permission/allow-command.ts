// Rules that allow command lines. Strict: every simple command must be covered, and whatever may run or write is not.
import { basename } from "node:path"
import { dependsOnFolder, isInnerFolder, leads } from "./change-folder.ts"
import { areHarmless, knownCommand } from "./known-commands.ts"
import { mayBeOption, type SimpleCommand, simpleCommands, type Word } from "./shell-words.ts"

/** The words a command begins with: `git log`, or `git log *`, which Claude Code writes `git log:*`. */
interface Prefix {
  words: string[]
  /** It ends with ` *`: anything may follow a command that we know nothing about. */
  open: boolean
}

/**
 * Whether the patterns of allow rules cover a whole command line. `=TEXT` means exactly that line. Any other pattern is
 * the beginning of a command, and does not allow options that run a program or write a file: after a known command only
 * harmless options may follow; after one that runs its arguments, nothing; after an unknown one, no option. An open
 * pattern lifts the last two limits, except for options that are known to run a program. Changing into a folder in
 * `cwd` needs no rule, but then no rule covers git or a program with a relative path.
 */
export function isCommandAllowed(line: string, patterns: readonly string[], cwd = "/"): boolean {
  if (patterns.some((pattern) => pattern.startsWith("=") && pattern.slice(1).trim() === line.trim())) return true
  const commands = simpleCommands(line)
  if (commands === undefined || commands.length === 0) return false
  const prefixes = patterns.flatMap((pattern) => (pattern.startsWith("=") ? [] : (prefixOf(pattern) ?? [])))
  const covered = (command: SimpleCommand) => prefixes.some((prefix) => covers(prefix, command))
  const moves = commands.filter(({ words }) => isInnerFolder(words, cwd))
  if (moves.length === commands.length) return commands.every(covered)
  const elsewhere = moves.some(({ words }) => leads(words, cwd))
  return commands.every(
    (command) => moves.includes(command) || (covered(command) && !(elsewhere && dependsOnFolder(command))),
  )
}

/** Undefined: not a single simple command. */
function prefixOf(pattern: string): Prefix | undefined {
  const words = patternWords(pattern)
  return words === undefined ? undefined : { words, open: OPEN.test(pattern) }
}

const OPEN = /(?::| )\*$/

export function withoutStar(pattern: string): string {
  return pattern.replace(OPEN, "")
}

/** The words of a pattern, without the star at its end. Undefined: not a single simple command. */
export function patternWords(pattern: string): string[] | undefined {
  const commands = simpleCommands(withoutStar(pattern))
  const only = commands?.length === 1 ? commands[0] : undefined
  return only?.words.every(({ becomes }) => becomes === "itself") ? only.words.map(({ text }) => text) : undefined
}

function covers({ words, open }: Prefix, command: SimpleCommand): boolean {
  if (!words.every((word, i) => command.words[i]?.becomes === "itself" && command.words[i]?.text === word)) return false
  const rest = command.words.slice(words.length)
  const known = knownCommand(command.words)
  if (known.kind === "harmless") return areHarmless(known, rest)
  if (open) return !runsAnother(words[0] as string, rest)
  return rest.length === 0 || (known.kind === "unknown" && !rest.some(maySteer))
}

/** An option, or NAME=VALUE, which make and dd treat as one. */
function maySteer(word: Word): boolean {
  if (mayBeOption(word)) return true
  return word.becomes === "itself" ? /^[A-Za-z_]\w*=/.test(word.text) : /^[A-Za-z_]\w*(?:=|$)/.test(word.begins)
}

interface Running {
  /** Long options, which may be abbreviated. */
  long?: readonly string[]
  /** Any other word that runs a program. */
  word?: RegExp
}

const SSH = { word: /(?:Proxy|Local|KnownHosts)Command/i }

const RUNNING: Readonly<Record<string, Running>> = {
  git: {
    long: "--config-env --exec-path --upload-pack --receive-pack --exec --ext-diff --open-files-in-pager --extcmd".split(
      " ",
    ),
    // `-c alias.x=!sh`, as one word or as the value of -c.
    word: /^(?:-c)?[A-Za-z][\w-]*\.[^\s=]*=/,
  },
  tar: {
    long: "--to-command --use-compress-program --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command".split(
      " ",
    ),
    word: /^-(?!-)[^fC]*[IF]/,
  },
  cpio: { long: ["--rsh-command"] },
  rsync: { long: ["--rsh", "--rsync-path"], word: /^-(?!-)[^fTB]*e/ },
  zip: { long: ["--unzip-command"], word: /^-TT/ },
  man: { long: ["--pager", "--html"], word: /^-[PH]/ },
  npm: { long: ["--script-shell", "--node-options", "--prefix", "--userconfig"], word: /^-C/ },
  pnpm: { long: ["--script-shell", "--dir", "--prefix"], word: /^-C/ },
  yarn: { long: ["--cwd"] },
  cargo: { long: ["--config", "--manifest-path"], word: /^-[CZ]/ },
  go: { word: /^--?(?:exec|toolexec|vettool|C|modfile|overlay)(?:=|$)/ },
  make: {
    long: ["--eval", "--file", "--makefile", "--directory", "--include-dir"],
    word: /^-(?!-)[a-zA-Z]*[fCEI]|^(?:SHELL|\.SHELLFLAGS|MAKEFILES|MAKEFLAGS)[:+?]*=/,
  },
  fd: { long: ["--exec", "--exec-batch"], word: /^-(?!-)[a-zA-Z]*[xX]/ },
  wget: { long: ["--use-askpass"] },
  ssh: SSH,
  scp: { word: /ProxyCommand|^-S/i },
  sftp: { word: /ProxyCommand|^-S/i },
}

/**
 * Options that run a program: allowing a command with anything after it does not allow these. The person is asked.
 * `rest`: the words that the rule itself does not name.
 */
export function runsAnother(program: string, rest: readonly Word[]): boolean {
  const name = basename(program)
  if (!Object.hasOwn(RUNNING, name)) return false
  const { long = [], word } = RUNNING[name] as Running
  return rest.some(({ text, becomes, begins }, i) => {
    // Only the shell knows what it becomes. A path is no option.
    if (becomes !== "itself" && !/^\.{0,2}\//.test(begins)) return true
    const option = text.replace(/=.*$/s, "")
    if (option.length > 3 && option.startsWith("--") && long.some((each) => each.startsWith(option))) return true
    // tar's first word needs no dash.
    return word?.test(name === "tar" && i === 0 && !text.startsWith("-") ? `-${text}` : text) === true
  })
}
