// The tree of commands and their options. Only the module of the called command is loaded.
import { Argument, Command, Option } from "commander"
import { AGENTS, CREATABLE } from "../app/library/agents.ts"
import { autoKeep } from "../app/library/auto-keep.ts"
import { brokenHookLines } from "../app/protection/broken-lines.ts"
import { agentTitle } from "../model/agent-title.ts"
import { THINKING_LEVELS } from "../model/thinking.ts"
import { addExploreOptions } from "./agent/explore-options.ts"
import { atLeastOne, eachOf, portNumber } from "./port/arguments.ts"
import type { Cli } from "./port/cli.ts"
import { UsageError } from "./port/errors.ts"
import { LAYOUT, NARROWEST } from "./render/help-item.ts"

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
  /** For help, in columns. */
  width?: number
  start: (globals: Globals) => Promise<Cli>
  done: (exit: number) => void
  /** Called before a commander error is thrown, so that the hint can name the command. */
  failing?: (command: string) => void
}

const SESSION = "-s, --session <id>"
const SESSION_ABOUT = "the session: an id, a part of one, or a file (default: the latest here, of any agent)"
const JSON_ABOUT = "print JSON"
/**
 * Commands that do not copy other agents' sessions in passing: a shell waits for them, or copying is their own subject.
 */
const KEEP_NOTHING: ReadonlySet<string> = new Set(["keep", "complete", "completion", "config", "mcp", "acp"])
/** Commands that are about hooks, or that no person looks at. */
const SAYS_ITSELF: ReadonlySet<string> = new Set([...KEEP_NOTHING, "hooks", "doctor", "ls", "serve", "tui"])
/** Commands that read the whole tree of commands. */
const NEED_ALL: ReadonlySet<string> = new Set(["complete", "completion"])

/** `only`: leaves out the others, because describing them would take most of the time. */
export function makeProgram(deps: ProgramDeps, only?: string): Command {
  const program = new Command("retcon")
    .description("Time travel for coding agents. Nothing is ever lost: you can undo every move.")
    .version(deps.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .addOption(new Option("--color <when>", "when to use colours").choices(["auto", "always", "never"]))
    .option("--no-pager", "do not use a pager")
    .configureOutput({ writeOut: deps.write, writeErr: deps.write, outputError: () => undefined })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false, minWidthToWrap: NARROWEST, ...LAYOUT })
    .exitOverride()

  const { width } = deps
  if (width !== undefined) program.configureOutput({ getOutHelpWidth: () => width })

  for (const [group, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(group)
    for (const [usage, define] of Object.entries(commands)) {
      if (only !== undefined && nameIn(usage) !== only) continue
      define((about, load, options) => {
        const command = program.command(usage, options).description(about)
        return command.action(async () => {
          const cli = await deps.start(program.opts<Globals>())
          if (!KEEP_NOTHING.has(command.name())) await autoKeep(cli)
          if (!SAYS_ITSELF.has(command.name())) await tellBrokenHooks(cli)
          const { run } = await load()
          const code = await run(cli, { ...command.opts<object>(), ...namedArguments(command) } as never, program)
          deps.done(typeof code === "number" ? code : 0)
        })
      })
    }
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride((error) => {
      deps.failing?.(command === program ? "" : command.name())
      throw error
    })
  }
  return program
}

async function tellBrokenHooks(cli: Cli): Promise<void> {
  if (!cli.err.isTerminal) return
  for (const line of await brokenHookLines(cli)) cli.err.write(`retcon: ${line}\n`)
}

/** The command that was typed, if it does not need the others. */
export function onlyCommand([first]: readonly string[]): string | undefined {
  const names = Object.values(GROUPS).flatMap((commands) => Object.keys(commands).map(nameIn))
  return first !== undefined && names.includes(first) && !NEED_ALL.has(first) ? first : undefined
}

function nameIn(usage: string): string {
  return usage.split(" ", 1)[0] ?? usage
}

type Add = (about: string, load: () => Promise<CommandModule>, options?: { hidden: true }) => Command

/** By name and arguments, in the order of the help. */
type Commands = Readonly<Record<string, (add: Add) => Command>>

const ALLOW_ABOUT = "allow a tool without asking, such as Write or 'Bash(npm test)'; repeatable"

/** For every command that runs the agent. */
function addAgentOptions(command: Command): Command {
  return command
    .option("--model <name>", "provider/name, or practice")
    .addOption(new Option("--think <level>", "how much the model thinks").choices(THINKING_LEVELS))
    .addOption(
      new Option("--mode <mode>", "what the agent may do without asking").choices([
        "plan",
        "default",
        "autoEdit",
        "yolo",
      ]),
    )
    .addOption(new Option("--sandbox <use>", "whether its commands run in a sandbox").choices(["auto", "on", "off"]))
    .option("--allow <rule>", ALLOW_ABOUT, eachOf)
}

const WORK: Commands = {
  "tui [prompt...]": (add) =>
    addAgentOptions(
      add(
        "work with the agent in this terminal; retcon without a command does the same",
        () => import("./commands/tui.ts"),
      )
        .option("-c, --continue", "continue retcon's last session of this directory")
        .option(
          "-r, --resume [id]",
          "continue a session: an id, a part of one, or a file; without one: choose from a list",
        )
        .option("--agent <name>", "begin a session of this agent with its own program: claude-code")
        .option("--plain", "lines instead of a screen: for screen readers and dumb terminals"),
    ).option("--no-backtrack", "the agent cannot go back by itself"),
  "run [prompt...]": (add) =>
    addAgentOptions(
      add("run one prompt without a screen; standard input is added to it", () => import("./commands/run.ts"))
        .option("-c, --continue", "continue retcon's last session of this directory")
        .option("-r, --resume <id>", "continue a session: an id, a part of one, or a file")
        .option("--agent <name>", "begin a session of this agent with its own program: claude-code"),
    )
      .option("--max-steps <n>", "stop after this many steps", atLeastOne)
      .option("--no-backtrack", "the agent cannot go back by itself")
      .option("--json", "print one event per line"),
  "explore [prompt...]": (add) =>
    addExploreOptions(
      add("let several attempts work on one prompt, each in a copy of the folder", () => import("./agent/explore.ts")),
    ),
  serve: (add) =>
    addAgentOptions(
      add("serve a page and an API for all sessions on this machine", () => import("./commands/serve.ts"))
        .option("--port <n>", "the port; 0 picks a free one (default: 4180, or another if that is taken)", portNumber)
        .option("--no-open", "do not open the page in a browser")
        .option("--no-remember", "forget the browsers that had the page open, and remember none")
        .option("--host <address>", "listen on this address, not only on this machine; needs TLS or --behind-proxy")
        .option("--cert <file>", "TLS: the certificate")
        .option("--key <file>", "TLS: its key")
        .option("--behind-proxy <origin>", "the public address of a TLS proxy in front of the server"),
    )
      .option("--no-backtrack", "the agent cannot go back by itself")
      .option("--json", "print the address and the token as JSON"),
}

const AGENT_ABOUT = "only sessions of this agent: retcon, claude, codex, gemini, kimi, neovate, opencode, pi, …"
const PATH_ABOUT = "only sessions that mention this file"
const SINCE_ABOUT = "only sessions used within this time, such as 12h, 7d, 2w or 3mo"

const VIEWS: Commands = {
  ls: (add) =>
    add("list the sessions of every agent in this directory", () => import("./commands/ls.ts"))
      .addOption(new Option("--all", "list all directories, including archived sessions and tasks").conflicts("repo"))
      .option("--repo", "list all worktrees of this git repository")
      .option("--agent <name>", AGENT_ABOUT)
      .option("--since <age>", SINCE_ABOUT)
      .option("--path <file>", PATH_ABOUT)
      .option("--json", JSON_ABOUT),
  log: (add) =>
    add("draw the tree of a session", () => import("./commands/log.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--all", "draw every branch in full")
      .option("--limit <n>", "show at most this many entries", atLeastOne)
      .option("--json", JSON_ABOUT),
  show: (add) =>
    add("show the conversation", () => import("./commands/show.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--context", "show exactly what the model would receive")
      .option("--entry <entry>", "show one entry in full; with --context, what the model would receive there")
      .option("--json", JSON_ABOUT),
  prompts: (add) =>
    add("list your prompts", () => import("./commands/prompts.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--limit <n>", "show only the latest, at most this many", atLeastOne)
      .addOption(new Option("--all", "in all sessions of every agent, the newest first").conflicts("session"))
      .option("--text <words>", "with --all: only those that include this")
      .option("--since <time>", "with --all: since then: today, an age such as 7d, or a date")
      .option("--agent <name>", AGENT_ABOUT)
      .option("--json", JSON_ABOUT),
  ops: (add) =>
    add("list past operations, and what you can undo", () => import("./commands/ops.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--limit <n>", "show only the latest, at most this many", atLeastOne)
      .option("--json", JSON_ABOUT),
  notes: (add) =>
    add(
      "list notes that agents left for the next one here, and who received them",
      () => import("./commands/notes.ts"),
    ).option("--json", JSON_ABOUT),
  "diff [from] [to]": (add) =>
    add("show how files changed: since your last prompt, or between entries", () => import("./commands/diff.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--path <path...>", "only these paths")
      .option("--stat", "only names and line counts")
      .option("--json", JSON_ABOUT),
  "compare <a> [b]": (add) =>
    add("compare two branches, or a session with a copy of it", () => import("./commands/compare.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--patch", "also print how the files differ between the two ends")
      .option("--json", JSON_ABOUT),
  "blame <path> [line]": (add) =>
    add("show which prompt last changed each line", () => import("./commands/blame.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--json", JSON_ABOUT),
  "why <place>": (add) =>
    add("show which prompt is behind a line (FILE:LINE) or a commit", async () => ({
      run: (await import("./commands/blame.ts")).why,
    })).option("--json", JSON_ABOUT),
  edits: (add) =>
    add("show what agents changed lately, over all sessions", () => import("./commands/edits.ts"))
      .option(SESSION, "only this session: an id, or a part of one")
      .option("--since <time>", "since then: today (the default), an age such as 7d, a date, or all")
      .option("--until <time>", "until then: the same")
      .option("--by <what>", "group by file, session, project or agent")
      .option("--path <file>", "only this file, or the files in this folder")
      .option("--agent <name>", AGENT_ABOUT)
      .option("--project <text>", "only sessions whose folder contains this")
      .option("--diff", "with what changed")
      .option("--limit <n>", "show at most this many", atLeastOne)
      .option("--json", JSON_ABOUT),
  "search <text...>": (add) =>
    add("find words in all branches, including abandoned ones", () => import("./commands/search.ts"))
      .option("--all", "search the sessions of all directories")
      .option("--agent <name>", AGENT_ABOUT)
      .option("--since <age>", SINCE_ABOUT)
      .option("--path <file>", PATH_ABOUT)
      .option("--limit <n>", "show at most this many sessions", atLeastOne)
      .option("--hits <n>", "show at most this many entries of each", atLeastOne)
      .option("--after <n>", "continue after this many sessions")
      .option("--json", JSON_ABOUT),
  usage: (add) =>
    add("show what all agents took: requests, tokens and cost, by day, model, …", () => import("./commands/usage.ts"))
      .option("--by <what>", "day, week, month, model, agent, project or session; several with commas")
      .option("--since <time>", "since then: today, an age such as 7d, or a date")
      .option("--until <time>", "until then: the same")
      .option("--agent <name>", "only this agent: retcon, claude, codex, gemini, kimi, neovate, opencode, pi, …")
      .option("--project <text>", "only folders whose path contains this")
      .option("--utc", "days begin at midnight UTC")
      .addOption(
        new Option("--line", "one line for a status bar: today, and 7 days").conflicts(["by", "since", "json"]),
      )
      .addOption(new Option("--prices <file>", "use the prices in this file from now on").conflicts(["by", "line"]))
      .option("--json", JSON_ABOUT),
  cost: (add) =>
    add("show requests, tokens and cost", async () => ({
      run: (await import("./commands/usage.ts")).cost,
    }))
      .option(SESSION, SESSION_ABOUT)
      .option("--json", JSON_ABOUT),
  doctor: (add) =>
    add("check sessions for damage", () => import("./commands/doctor.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--all", "check every session in all directories")
      .option("--secrets", "count the secrets in sessions, by kind")
      .option("--json", JSON_ABOUT),
}

const STEPS = ["[steps]", "how many steps", atLeastOne] as const

const ROUNDS = () => import("./commands/revert.ts")

const MOVES: Commands = {
  back: (add) =>
    addMoveOptions(
      addFiles(
        add("go back to before your last prompt", () => import("./commands/back.ts")).argument(
          "[rounds]",
          "how many rounds",
          atLeastOne,
        ),
      ),
    ),
  "goto <entry>": (add) =>
    addMoveOptions(
      addFiles(add("go to any entry: an id, a label, @N, head~N, or start", () => import("./commands/goto.ts"))),
    ),
  undo: (add) =>
    addMoveOptions(addFiles(add("undo the last move or round", () => import("./commands/undo.ts")).argument(...STEPS))),
  redo: (add) =>
    addMoveOptions(addFiles(add("redo what you undid", () => import("./commands/redo.ts")).argument(...STEPS))),
  "restore <entry> [paths...]": (add) =>
    addMoveOptions(add("restore files as they were at an entry", () => import("./commands/restore.ts"))),
  "revert <rounds...>": (add) => addMoveOptions(add("take back the file changes of single rounds", ROUNDS)),
  "bring <what...>": (add) =>
    addMoveOptions(
      addFiles(add("bring what a branch found and changed, or rounds", async () => ({ run: (await ROUNDS()).bring })))
        .option("--only-round", "of an entry on another branch: only the file changes of its round")
        .option("--note <text>", "what was found there, in your words (default: the last answer there)")
        .option("--no-note", "only the files"),
    ),
  "pick <branch>": (add) =>
    addMoveOptions(add("go to a branch with its files", async () => ({ run: (await ROUNDS()).pick }))),
}

function addFiles(command: Command): Command {
  return command.addOption(
    new Option("--files <how>", "what to do with the workspace's files").choices(["keep", "restore"]),
  )
}

function addMoveOptions(command: Command): Command {
  return command
    .option(SESSION, SESSION_ABOUT)
    .option("--dry-run", "show what would happen, and change nothing")
    .addOption(
      new Option("--ours", "on a conflict, keep the file as it is now").conflicts(["theirs", "writeConflicts"]),
    )
    .addOption(new Option("--theirs", "on a conflict, take the version from that point").conflicts("writeConflicts"))
    .option("--write-conflicts", "on a conflict, write both versions into the file, marked")
    .option("--keep <path...>", "leave these files as they are")
    .option("--only-certain", "leave files alone that you may have changed while a command ran")
    .option("--even-if-running", "move even if another agent may have this session open")
    .option("--json", JSON_ABOUT)
}

const KEEPING: Commands = {
  keep: (add) =>
    add("copy other agents' sessions before those agents delete them", () => import("./commands/keep.ts"))
      .option("--restore <id>", "give a deleted session back to its agent")
      .option("--dry-run", "show what would be copied, and copy nothing")
      .option("--json", JSON_ABOUT),
  hooks: (add) =>
    add("take snapshots of what another agent does", () => import("./commands/hooks.ts"))
      .addArgument(new Argument("<action>", "what to do").choices(["install", "uninstall", "status"]))
      .argument("[agent]", "claude-code, codex, …")
      .option("--project", "use the project's settings instead of yours")
      .option("--dry-run", "show what would change, and change nothing")
      .option("-y, --yes", "do not ask")
      .option("--json", JSON_ABOUT),
  compact: (add) =>
    add("replace the older part of a conversation with a summary", () => import("./commands/compact.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--focus <text>", "what the summary must not lose")
      .option("--model <name>", "the model that writes it: PROVIDER/NAME")
      .option("--json", JSON_ABOUT),
  "split [entry]": (add) =>
    add("start a new session as a copy of this path", () => import("./commands/split.ts"))
      .option(SESSION, SESSION_ABOUT)
      .addOption(toOption("create a session of this agent (default: the same agent)", ["retcon", ...CREATABLE]))
      .option("--json", JSON_ABOUT),
  "label <entry> [name]": (add) =>
    add("give an entry a name", () => import("./commands/label.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--remove", "remove its name")
      .option("--json", JSON_ABOUT),
  "omit <entry>": (add) =>
    add("continue without content that a provider refuses", () => import("./commands/omit.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--json", JSON_ABOUT),
  "title [text]": (add) =>
    add("show or set the title of a session", () => import("./commands/title.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--json", JSON_ABOUT),
  "archive [id]": (add) =>
    add("hide a session from lists", () => import("./commands/archive.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--undo", "show it in lists again")
      .option("--json", JSON_ABOUT),
  "rm [id]": (add) =>
    add("move a session to the trash", () => import("./commands/rm.ts"))
      .option(SESSION, SESSION_ABOUT)
      .option("--older-than <age>", "remove all sessions here that have not been used for this long, such as 90d")
      .option("--all", "with --older-than: in all directories")
      .option("-y, --yes", "do not ask")
      .option("--restore", "restore it from the trash")
      .option("--json", JSON_ABOUT),
  "moved <old>": (add) =>
    add("take over the sessions of a folder that was moved here", () => import("./commands/moved.ts"))
      .option("--undo", "give the sessions back to the old folder")
      .option("--force", "even if the old folder still exists")
      .option("--dry-run", "show what would happen, and change nothing")
      .option("-y, --yes", "do not ask")
      .option("--json", JSON_ABOUT),
  "import <file>": (add) =>
    add(
      "create a session from another program's messages (- reads standard input)",
      () => import("./commands/import.ts"),
    )
      .option("--title <text>", "the title of the new session")
      .option("--json", JSON_ABOUT),
  export: (add) =>
    add("write a session as JSON or Markdown, or for another agent", () => import("./commands/export.ts"))
      .option(SESSION, SESSION_ABOUT)
      .addOption(
        toOption("the format, or the agent that continues it", ["json", "markdown", ...CREATABLE]).default("markdown"),
      )
      .option("--at <entry>", "for an agent: only the path to this entry")
      .option(
        "-o, --output <path>",
        "write to a file (- is standard output); for an agent, a folder in place of your home",
      )
      .option("--no-redact", "keep secrets and the path of your home folder in Markdown")
      .option("--dry-run", "for an agent: show what would be created, and write nothing")
      .option("--json", "for an agent: print JSON"),
  "config [key] [value]": (add) =>
    add("show or change retcon's own settings", () => import("./commands/config.ts"))
      .option("--unset", "reset to the default")
      .option("--json", JSON_ABOUT),
  gc: (add) =>
    add("free disk space: empty the trash and delete unused snapshots", () => import("./commands/gc.ts"))
      .option("--dry-run", "show what would happen, and change nothing")
      .option("--drop-oldest", "drop the oldest snapshots until the budget is met")
      .option("--json", JSON_ABOUT),
  acp: (add) =>
    addAgentOptions(
      add("run as an agent in an editor, or print what to add to its settings", () => import("./commands/acp.ts"))
        .addArgument(new Argument("[action]", "what to do").choices(["install"]))
        .argument("[editor]", "zed, jetbrains, …"),
    ),
  mcp: (add) =>
    add("run an MCP server for other agents, or set up an agent to start it", () => import("./commands/mcp.ts"))
      .addArgument(
        new Argument("[action]", "what to do with the settings of an agent (default: serve)").choices([
          "install",
          "uninstall",
          "status",
        ]),
      )
      .argument("[name]", "claude, codex, cursor, gemini or opencode")
      .option(
        "--agent <name>",
        "without an action: the agent that starts it (default: the agent with the newest session)",
      )
      .option("--project", "use the project's settings instead of yours")
      .option("--dry-run", "show what would change, and change nothing")
      .option("-y, --yes", "do not ask")
      .option("--json", JSON_ABOUT),
  completion: (add) =>
    add("print a completion script for a shell", () => import("./commands/completion.ts")).addArgument(
      new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]),
    ),
}

/** A prefix is enough: `claude`. Anything else is refused with the list, and a format that retcon only reads with the reason. */
function toOption(about: string, names: readonly string[]): Option {
  const option = new Option("--to <name>", about).choices(names)
  const check = option.parseArg
  return option.argParser((typed: string) => {
    const known = [...names, ...AGENTS]
    const whole = known.find((name) => name === typed) ?? known.find((name) => typed !== "" && name.startsWith(typed))
    if (whole !== undefined && !names.includes(whole)) {
      const problem = `retcon reads sessions of ${agentTitle(whole)}, but cannot create them.`
      throw new UsageError(problem, `Use one of: ${names.join(", ")}.`)
    }
    return check?.(whole ?? typed, undefined)
  })
}

const GROUPS: Readonly<Record<string, Commands>> = {
  "Work:": WORK,
  "Look:": VIEWS,
  "Move:": MOVES,
  "Keep:": {
    ...KEEPING,
    // What the completion scripts call.
    "complete [words...]": (add) => add("list completions", () => import("./commands/complete.ts"), { hidden: true }),
  },
}

function namedArguments(command: Command): Record<string, unknown> {
  return Object.fromEntries(
    command.registeredArguments.map((argument, index) => [argument.name(), command.processedArgs[index]]),
  )
}
