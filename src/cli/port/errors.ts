// Every way a command can fail: a message and an exit code (1 refused or failed, 2 usage). Nothing else prints errors.
import { CommanderError } from "commander"
import { type AdviceStep, adviceList, type Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import type { Conflict } from "../../model/move/file-outcomes.ts"
import { clipNames } from "../../model/text/clip-names.ts"
import { sanitise, sanitiseLine, shellWord, wrap } from "../../model/text/sanitise.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import type { Output } from "./cli.ts"
import { printJson } from "./print-json.ts"

export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** What was typed makes no sense; nothing was done. */
export class UsageError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = "UsageError"
    this.hint = hint
  }
}

/** A move prevented by conflicts. For people they are printed before the error; scripts find them in it. */
export class ConflictsError extends RetconError {
  readonly conflicts: readonly Conflict[]

  constructor(failure: Failure, conflicts: readonly Conflict[]) {
    super(failure)
    this.conflicts = conflicts
  }
}

export interface ErrorOptions {
  json: boolean
  /** RETCON_DEBUG: show where an unexpected error comes from. */
  debug: boolean
  /** The command that was called, for "how to get help". */
  command: string
  /** All commands, to list when none of them was typed. */
  commands?: readonly string[]
  /** What was typed. */
  words?: readonly string[]
}

/** Prints what went wrong and returns the exit code. */
export function report(error: unknown, err: Output, options: ErrorOptions): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) return EXIT.done
  const { exit, ...described } = describe(error, options)
  const { message, hint } = described
  if (options.json) printJson(err, { error: described })
  else err.write(errorLines(sanitise(message).replace(/\s*\n\s*/g, " "), sanitise(hint), err))
  if (options.debug && error instanceof Error) err.write(`${error.stack ?? error.message}\n`)
  return exit
}

/** One line each; on a screen they are wrapped between words, and indented. */
function errorLines(message: string, hint: string, { isTerminal, width }: Output): string {
  const [said, todo] = [`retcon: ${message}`, hint.replace(/^/gm, "  ")]
  if (!isTerminal) return `${said}\n  ${hint}\n`
  const lines = wrap(said, Math.max(20, width - 2)).map((line, i) => (i === 0 ? line : `  ${line}`))
  return [...lines, ...wrap(todo, Math.max(20, width))].map((line) => `${line}\n`).join("")
}

interface Described {
  code: string
  message: string
  hint: string
  /** The hint as data, for another front end to print. */
  advice: readonly (string | AdviceStep)[]
  conflicts?: readonly Conflict[]
  exit: number
}

function describe(error: unknown, options: ErrorOptions): Described {
  if (error instanceof ConflictsError) {
    return { ...failed(error.failure, error.which), conflicts: error.conflicts, exit: EXIT.failed }
  }
  const failure = failureOf(error)
  if (failure !== undefined) {
    const which = error instanceof RetconError ? error.which : undefined
    return { ...failed(failure, which), exit: EXIT.failed }
  }
  if (error instanceof UsageError) return usage(error.message, error.hint)
  if (error instanceof CommanderError) {
    const { commands = [] } = options
    const guessed = error.code !== "commander.unknownCommand" || error.message.includes("Did you mean")
    const there = guessed ? "" : `Commands: ${commands.join(", ")}. `
    return usage(commanderWords(error.message), asPrompt(error, options) + there + helpHint(options.command))
  }
  const problem = sanitiseLine(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  const hint = options.debug
    ? "Please report it with the lines below."
    : "Run it again with RETCON_DEBUG=1 to see where it happened, and please report it."
  return { code: "defect", message: `This is a bug in retcon: ${problem}`, hint, advice: [hint], exit: EXIT.failed }
}

/** Words that do not begin with a command may be a prompt. Quotes tell one from a command, unless it is a single word. */
function asPrompt(error: CommanderError, { words = [] }: ErrorOptions): string {
  if (error.code !== "commander.unknownCommand" || words.some((word) => word.startsWith("-"))) return ""
  if (words.length === 1) return `If this is a prompt: retcon run ${shellWord(words.join(" "))}. `
  return `If this is a prompt, quote it: retcon ${shellWord(words.join(" "))}. `
}

function failed(failure: Failure, which?: string): Pick<Described, "code" | "message" | "hint" | "advice"> {
  const { message, advice } = wordsFor(failure)
  return { code: failure.code, message, hint: shellAdvice(advice, which), advice: adviceList(advice) }
}

function usage(message: string, hint: string): Described {
  return { code: "usage", message: clipNames(message), hint, advice: [hint], exit: EXIT.usage }
}

/** "error: unknown option '--jsn'\n(Did you mean --json?)" on one line. */
function commanderWords(message: string): string {
  const line = sanitiseLine(message.replace(/^error: /, ""))
  return line.slice(0, 1).toUpperCase() + line.slice(1)
}

function helpHint(command: string): string {
  return `See: ${command === "" ? "retcon --help" : `retcon ${command} --help`}`
}
