// The tree of commands and their options. Each command's module is loaded only when it is the one called.
import { Argument, Command, Help, Option } from "commander"
import { AGENTS } from "../formats/port.ts"
import { THINKING_LEVELS } from "../model/thinking.ts"
import { keepInPassing } from "./keep/in-passing.ts"
import { atLeastOne } from "./port/arguments.ts"
import type { Cli } from "./port/cli.ts"

export interface Globals {
  color?: "auto" | "always" | "never"
  /** False with --no-pager. */
  pager?: boolean
}

/** Contract: `options` are commander's, with the positional arguments under their names. A number is the exit code. */
interface CommandModule {
  /** `program` is the whole tree of commands. */
  run: (cli: Cli, options: never, program: Command) => Promise<unknown>
}

export interface ProgramDeps {
  version: string
  write: (text: string) => void
  /** Of help, in columns. */
  width?: number
  start: (globals: Globals) => Promise<Cli>
  done: (exit: number) => void
  /** Called before an error of commander is thrown, so that the hint can name the command. */
  failing?: (command: string) => void
}

const SESSION = "-s, --session <id>"
const SESSION_ABOUT = "the session: an id, a part of one, or a file (default: the last one here)"
const JSON_ABOUT = "print JSON"
/** Commands that copy nothing of other agents' sessions in passing: a shell waits for them, or they are about that themselves. */
const KEEP_NOTHING: ReadonlySet<string> = new Set(["keep", "complete", "completion", "config", "mcp"])
/** A column of help that has less room is not broken into lines. */
const NARROWEST = 16

/** Two columns; where the second would be too narrow, a term's description goes below it. */
function formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const width = this.helpWidth ?? 80
  if (description === "" || width - termWidth - 4 >= NARROWEST) {
    return Help.prototype.formatItem.call(this, term, termWidth, description, helper)
  }
  const below = helper.boxWrap(description, width - 6).replaceAll("\n", "\n      ")
  return `  ${term}\n      ${below}`
}

export function makeProgram(parts: ProgramDeps): Command {
  const program = new Command("retcon")
    .description("Time travel for coding agents. Nothing is ever lost: every move can be undone.")
    .version(parts.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addOption(new Option("--color <when>", "when to use colours").choices(["auto", "always", "never"]))
    .option("--no-pager", "do not page long output")
    .configureOutput({ writeOut: parts.write, writeErr: parts.write, outputError: () => undefined })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false, minWidthToWrap: NARROWEST, formatItem })
    .exitOverride()

  const { width } = parts
  if (width !== undefined) program.configureOutput({ getOutHelpWidth: () => width })

  const add: Add = (usage, about, load, options) => {
    const command = program.command(usage, options).description(about)
    return command.action(async () => {
      const cli = await parts.start(program.opts<Globals>())
      if (!KEEP_NOTHING.has(command.name())) await keepInPassing(cli)
      const { run } = await load()
      const code = await run(cli, { ...command.opts<object>(), ...namedArguments(command) } as never, program)
      parts.done(typeof code === "number" ? code : 0)
    })
  }

  program.commandsGroup("Work:")
  addWork(add)
  program.commandsGroup("Look:")
  addViews(add)
  program.commandsGroup("Move:")
  addMoves(add)
  program.commandsGroup("Keep:")
  addKeeping(add)
  addHidden(add)
  for (const command of [program, ...program.commands]) {
    command.exitOverride((error) => {
      parts.failing?.(command === program ? "" : command.name())
      throw error
    })
  }
  return program
}

type Add = (usage: string, about: string, load: () => Promise<CommandModule>, options?: { hidden: true }) => Command

const ALLOW_ABOUT = "allow a tool without asking, such as Write or 'Bash(npm test)'; repeatable"

/** One value for each time the option is given: the word that follows is the prompt. */
function eachOf(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function addWork(add: Add): void {
  add(
    "tui [prompt...]",
    "work with the agent in this terminal; retcon without a command does the same",
    () => import("./commands/tui.ts"),
  )
    .option("-c, --continue", "continue the last session of this directory")
    .option("-r, --resume [id]", "continue a session: an id, a part of one, or a file; without one: choose from a list")
    .option("--plain", "lines instead of a screen: for screen readers and dumb terminals")
    .option("--model <name>", "provider/name, or practice")
    .addOption(new Option("--think <level>", "how much the model thinks").choices(THINKING_LEVELS))
    .addOption(new Option("--mode <mode>", "what it may do without asking").choices(["default", "autoEdit", "yolo"]))
    .addOption(new Option("--sandbox <use>", "whether its commands run in a sandbox").choices(["auto", "on", "off"]))
    .option("--allow <rule>", ALLOW_ABOUT, eachOf)
    .option("--no-backtrack", "the agent cannot go back by itself")
  add(
    "run [prompt...]",
    "run one prompt without a screen; standard input is added to it",
    () => import("./commands/run.ts"),
  )
    .option("-c, --continue", "continue the last session of this directory")
    .option("-r, --resume <id>", "continue a session")
    .option("--model <name>", "provider/name, or practice")
    .addOption(new Option("--think <level>", "how much the model thinks").choices(THINKING_LEVELS))
    .addOption(new Option("--mode <mode>", "what it may do without asking").choices(["default", "autoEdit", "yolo"]))
    .addOption(new Option("--sandbox <use>", "whether its commands run in a sandbox").choices(["auto", "on", "off"]))
    .option("--allow <rule>", ALLOW_ABOUT, eachOf)
    .option("--max-steps <n>", "stop after this many steps", atLeastOne)
    .option("--no-backtrack", "the agent cannot go back by itself")
    .option("--json", "print one event per line")
}

const AGENT_ABOUT = "only of one agent: retcon, claude, codex, gemini, kimi, neovate, opencode, pi, …"
const PATH_ABOUT = "only those that name this file"
const SINCE_ABOUT = "only those used since, such as 12h, 7d, 2w or 3mo"

function addViews(add: Add): void {
  add("ls", "list the sessions of this directory, of every agent", () => import("./commands/ls.ts"))
    .addOption(new Option("--all", "of every directory, including archived ones and tasks").conflicts("repo"))
    .option("--repo", "of all worktrees of this git repository")
    .option("--agent <name>", AGENT_ABOUT)
    .option("--since <age>", SINCE_ABOUT)
    .option("--path <file>", PATH_ABOUT)
    .option("--json", JSON_ABOUT)
  add("log", "draw the tree of a session", () => import("./commands/log.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--all", "draw every branch in full")
    .option("--limit <n>", "show at most this many entries", atLeastOne)
    .option("--json", JSON_ABOUT)
  add("show", "show the conversation", () => import("./commands/show.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--context", "exactly what a model would be sent")
    .option("--entry <entry>", "one entry in full; with --context, what a model would be sent there")
    .option("--json", JSON_ABOUT)
  add("prompts", "list your prompts on the path", () => import("./commands/prompts.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--limit <n>", "show at most this many, the latest", atLeastOne)
    .option("--json", JSON_ABOUT)
  add("ops", "list what was done, and what can be undone", () => import("./commands/ops.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--limit <n>", "show at most this many, the latest", atLeastOne)
    .option("--json", JSON_ABOUT)
  add(
    "diff [from] [to]",
    "show how files changed: since your last prompt, or between entries",
    () => import("./commands/diff.ts"),
  )
    .option(SESSION, SESSION_ABOUT)
    .option("--path <path...>", "only these paths")
    .option("--stat", "only names and line counts")
    .option("--json", JSON_ABOUT)
  add("blame <path> [line]", "show which prompt last changed each line", () => import("./commands/blame.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--json", JSON_ABOUT)
  add("search <text>", "find text in all branches, including abandoned ones", () => import("./commands/search.ts"))
    .option("--all", "in the sessions of every directory")
    .option("--agent <name>", AGENT_ABOUT)
    .option("--since <age>", SINCE_ABOUT)
    .option("--path <file>", PATH_ABOUT)
    .option("--limit <n>", "show at most this many hits", atLeastOne)
    .option("--json", JSON_ABOUT)
  add("cost", "add up requests, tokens and money", () => import("./commands/cost.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--json", JSON_ABOUT)
  add("doctor", "check sessions for damage", () => import("./commands/doctor.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--all", "every session of every directory")
    .option("--secrets", "count the secrets that sessions hold, by kind")
    .option("--json", JSON_ABOUT)
}

function addMoves(add: Add): void {
  const steps = ["[steps]", "how many steps", atLeastOne] as const
  const moves = [
    add("back", "go back to before your last prompt", () => import("./commands/back.ts")).argument(
      "[rounds]",
      "how many rounds",
      atLeastOne,
    ),
    add("goto <entry>", "go to any entry: an id, a label, @N, head~N, or start", () => import("./commands/goto.ts")),
    add("undo", "undo the last move or round", () => import("./commands/undo.ts")).argument(...steps),
    add("redo", "redo what was undone", () => import("./commands/redo.ts")).argument(...steps),
  ]
  for (const command of moves) {
    command.addOption(new Option("--files <how>", "the files of the workspace").choices(["keep", "restore"]))
  }
  moves.push(
    add("restore <entry> [paths...]", "restore files as they were at an entry", () => import("./commands/restore.ts")),
  )
  for (const command of moves) {
    command
      .option(SESSION, SESSION_ABOUT)
      .option("--dry-run", "show what would happen, and change nothing")
      .addOption(
        new Option("--ours", "on a conflict, keep the file as it is now").conflicts(["theirs", "writeConflicts"]),
      )
      .addOption(new Option("--theirs", "on a conflict, take the version from that point").conflicts("writeConflicts"))
      .option("--write-conflicts", "on a conflict, write both versions into the file, marked")
      .option("--keep <path...>", "leave these files as they are")
      .option("--only-certain", "leave files that changed while a command ran, perhaps by you")
      .option("--even-if-running", "in another agent's session, when nothing tells whether that agent has it open")
      .option("--json", JSON_ABOUT)
  }
}

function addKeeping(add: Add): void {
  add("keep", "copy other agents' sessions here, before those agents remove them", () => import("./commands/keep.ts"))
    .option("--restore <id>", "give its agent back a session that it no longer has")
    .option("--dry-run", "show what would be copied, and copy nothing")
    .option("--json", JSON_ABOUT)
  add("hooks", "take snapshots of what another agent does", () => import("./commands/hooks.ts"))
    .addArgument(new Argument("<action>", "what to do").choices(["install", "uninstall", "status"]))
    .argument("[agent]", "claude-code, codex, …")
    .option("--project", "in the settings of this project instead of yours")
    .option("--dry-run", "show what would change, and change nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_ABOUT)
  add("compact", "replace the older part of a conversation with a summary", () => import("./commands/compact.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--focus <text>", "what the summary must not lose")
    .option("--model <name>", "the model that writes it: PROVIDER/NAME")
    .option("--json", JSON_ABOUT)
  add("split [entry]", "start a new session as a copy of this path", () => import("./commands/split.ts"))
    .option(SESSION, SESSION_ABOUT)
    .addOption(toOption("of this agent (default: the one whose session it is)", ["retcon", ...AGENTS]))
    .option("--json", JSON_ABOUT)
  add("label <entry> [name]", "give an entry a name", () => import("./commands/label.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--remove", "remove its name")
    .option("--json", JSON_ABOUT)
  add("omit <entry>", "continue without what a provider refuses", () => import("./commands/omit.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--json", JSON_ABOUT)
  add("title [text]", "show or set the title of a session", () => import("./commands/title.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--json", JSON_ABOUT)
  add("archive [id]", "hide a session from lists", () => import("./commands/archive.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--undo", "show it in lists again")
    .option("--json", JSON_ABOUT)
  add("rm [id]", "move a session to the trash", () => import("./commands/rm.ts"))
    .option(SESSION, SESSION_ABOUT)
    .option("--older-than <age>", "all sessions here not used for this long, such as 90d")
    .option("--all", "with --older-than: of every directory")
    .option("-y, --yes", "do not ask")
    .option("--restore", "restore it from the trash")
    .option("--json", JSON_ABOUT)
  add("moved <old>", "bring along the sessions of a folder that was moved here", () => import("./commands/moved.ts"))
    .option("--undo", "give back the sessions that came from there")
    .option("--force", "even if the old folder still exists")
    .option("--dry-run", "show what would happen, and change nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_ABOUT)
  add(
    "import <file>",
    "create a session from another program's messages (- reads standard input)",
    () => import("./commands/import.ts"),
  )
    .option("--title <text>", "the title of the new session")
    .option("--json", JSON_ABOUT)
  add("export", "write a session as JSON or Markdown, or for another agent", () => import("./commands/export.ts"))
    .option(SESSION, SESSION_ABOUT)
    .addOption(
      toOption("the format, or the agent that continues it", ["json", "markdown", ...AGENTS]).default("markdown"),
    )
    .option("--at <entry>", "for an agent: only the path to this entry")
    .option(
      "-o, --output <path>",
      "write to a file (- is standard output); for an agent, a folder in place of your home",
    )
    .option("--no-redact", "leave secrets and the path of your home folder in Markdown")
    .option("--dry-run", "for an agent: show what would be created, and write nothing")
    .option("--json", "for an agent: print JSON")
  add("config [key] [value]", "show or change retcon's own settings", () => import("./commands/config.ts"))
    .option("--unset", "go back to the default")
    .option("--json", JSON_ABOUT)
  add("gc", "free disk space: the trash, and snapshots that nothing refers to", () => import("./commands/gc.ts"))
    .option("--dry-run", "show what would happen, and change nothing")
    .option("--drop-oldest", "drop the oldest snapshots until the budget is met")
    .option("--json", JSON_ABOUT)
  const action = new Argument("[action]", "what to do with the settings of an agent (default: serve)")
  add("mcp", "serve other agents as an MCP server, or tell one to start it", () => import("./commands/mcp.ts"))
    .addArgument(action.choices(["install", "uninstall", "status"]))
    .argument("[name]", "claude, codex, cursor, gemini or opencode")
    .option("--agent <name>", "without an action: the agent that starts it (default: whose session is the newest)")
    .option("--project", "in the settings of this project")
    .option("--dry-run", "show what would change, and change nothing")
    .option("-y, --yes", "do not ask")
    .option("--json", JSON_ABOUT)
  const shell = new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"])
  add("completion", "print a completion script for a shell", () => import("./commands/completion.ts")).addArgument(
    shell,
  )
}

/** A beginning is enough: `claude`. What is none of them is refused with the list. */
function toOption(about: string, names: readonly string[]): Option {
  const option = new Option("--to <name>", about).choices(names)
  const check = option.parseArg
  return option.argParser((typed: string) => {
    const whole = names.find((name) => name === typed) ?? names.find((name) => typed !== "" && name.startsWith(typed))
    return check?.(whole ?? typed, undefined)
  })
}

/** What the completion scripts call. */
function addHidden(add: Add): void {
  add("complete [words...]", "list completions", () => import("./commands/complete.ts"), { hidden: true })
}

function namedArguments(command: Command): Record<string, unknown> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]),
  )
}
