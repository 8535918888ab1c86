// What can complete a command line, read from the tree of commands itself: new options complete automatically.
import type { Command, Option } from "commander"
import { parseSettingKey, SETTING_KEYS, SETTINGS } from "../../app/config/settings.ts"
import { goneFolders } from "../../app/library/find-moved.ts"
import { isEmpty } from "../../app/library/session-kinds.ts"
import { prompts } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { count } from "../../model/text/amounts.ts"
import { trashed } from "../../store/file/folder/trash.ts"
import type { Cli } from "../port/cli.ts"
import { withChosen } from "../sessions/select.ts"
import { latestHere } from "../sessions/which-session.ts"

/**
 * Contract: `words` follow the program's name; the last one is being typed. What cannot be known has no completions.
 */
export async function candidates(cli: Cli, program: Command, words: readonly string[]): Promise<Candidate[]> {
  const typed = words.at(-1) ?? ""
  const line = typedLine(program, words.slice(0, -1))
  const all = await fitting(cli, program, line, typed)
  return all.filter(({ value }) => value.startsWith(typed))
}

interface TypedLine {
  command: Command
  /** The option that needs a value. */
  option: Option | undefined
  positionals: string[]
  /** -s, if given. */
  session: string | undefined
  flags: Set<string>
}

function typedLine(program: Command, words: readonly string[]): TypedLine {
  const line: TypedLine = { command: program, option: undefined, positionals: [], session: undefined, flags: new Set() }
  for (const word of words) {
    if (line.option !== undefined) {
      if (line.option.long === "--session") line.session = word
      line.option = undefined
    } else if (word.startsWith("-")) {
      const option = findOption(program, line.command, word)
      if (option !== undefined) line.flags.add(option.long ?? word)
      if (option?.required === true && !word.includes("=")) line.option = option
    } else if (line.command === program) {
      line.command = program.commands.find((each) => each.name() === word) ?? program
    } else line.positionals.push(word)
  }
  return line
}

function findOption(program: Command, command: Command, word: string): Option | undefined {
  const [name = word] = word.split("=")
  return [...command.options, ...program.options].find(({ short, long }) => short === name || long === name)
}

async function fitting(cli: Cli, program: Command, line: TypedLine, typed: string): Promise<Candidate[]> {
  const { command, option } = line
  if (option !== undefined) return optionValues(cli, line, option)
  const [flag = "", value] = typed.split("=", 2)
  if (typed.startsWith("--") && value !== undefined) return afterEquals(cli, program, line, flag)
  if (typed.startsWith("-")) return optionNames(command)
  if (command === program) return commandNames(program)
  const argument = command.registeredArguments[line.positionals.length]
  if (argument === undefined) return []
  if (argument.argChoices !== undefined) return argument.argChoices.map(plain)
  switch (argument.name()) {
    case "entry":
    case "rounds":
    case "what":
    case "branch":
    case "a":
    case "b":
    case "from":
    case "to":
      return entries(cli, line)
    case "id":
      return line.flags.has("--restore") ? trashCandidates(cli) : sessionCandidates(cli)
    case "old":
      return goneCandidates(cli)
    case "key":
      return settingKeys()
    case "value":
      return settingValues(line.positionals[0] ?? "")
    default:
      return []
  }
}

/** `--files=keep` as one word. */
async function afterEquals(cli: Cli, program: Command, line: TypedLine, flag: string): Promise<Candidate[]> {
  const option = findOption(program, line.command, flag)
  const values = option === undefined ? [] : await optionValues(cli, line, option)
  return values.map(({ value, about }) => ({ value: `${flag}=${value}`, about }))
}

async function optionValues(cli: Cli, line: TypedLine, option: Option): Promise<Candidate[]> {
  if (option.argChoices !== undefined) return option.argChoices.map(plain)
  if (option.long === "--session" || option.long === "--resume") return sessionCandidates(cli)
  return option.long === "--entry" ? entries(cli, line) : []
}

/** The empty conversation is a place to go to, but not an entry to show or name. */
async function entries(cli: Cli, line: TypedLine): Promise<Candidate[]> {
  const all = await entryCandidates(cli, line.session)
  return line.command.name() === "goto" && all.length > 0
    ? [...all, { value: "start", about: "the empty conversation" }]
    : all
}

async function settingKeys(): Promise<Candidate[]> {
  const { AGENT_KEYS, AGENT_SETTINGS } = await import("../config/agent-settings.ts")
  const { nameOf, WORKSPACE_KEYS, WORKSPACE_SETTINGS } = await import("../../app/config/workspace-settings.ts")
  return [
    ...SETTING_KEYS.map((key) => ({ value: key, about: SETTINGS[key].about })),
    ...AGENT_KEYS.map((key) => ({ value: key, about: AGENT_SETTINGS[key].about })),
    ...WORKSPACE_KEYS.map((key) => ({ value: nameOf(key), about: WORKSPACE_SETTINGS[key].about })),
  ]
}

function settingValues(name: string): Candidate[] {
  if (name === "trust") return ["yes", "no"].map(plain)
  if (name === "workspace.allowAny") return ["true", "false"].map(plain)
  const key = parseSettingKey(name)
  return key === undefined ? [] : SETTINGS[key].values.map(plain)
}

function optionNames(command: Command): Candidate[] {
  const options = command.createHelp().visibleOptions(command)
  return options.map((option) => ({ value: option.long ?? option.flags, about: option.description }))
}

function commandNames(program: Command): Candidate[] {
  const help = program.createHelp()
  return help.visibleCommands(program).map((command) => ({ value: command.name(), about: command.description() }))
}

function plain(value: string): Candidate {
  return { value, about: "" }
}

const MOST = 100

interface Candidate {
  value: string
  about: string
}

/** Values that depend on what exists: sessions, entries. A session that cannot be opened has none. */
async function sessionCandidates(cli: Cli): Promise<Candidate[]> {
  const here = await cli.store.list({ cwd: cli.cwd })
  return here
    .filter((session) => !isEmpty(session))
    .slice(0, MOST)
    .map((session) => ({ value: shortId(session.id), about: session.title }))
}

function trashCandidates(cli: Cli): Candidate[] {
  return trashed(cli.home).map(({ id }) => ({ value: shortId(id), about: "in the trash" }))
}

/** Folders that may have been moved. */
async function goneCandidates(cli: Cli): Promise<Candidate[]> {
  return (await goneFolders(cli)).map(([value, sessions]) => ({ value, about: count(sessions.length, "session") }))
}

/** Labels, the last prompts of the path, and head. */
async function entryCandidates(cli: Cli, session: string | undefined): Promise<Candidate[]> {
  try {
    const name = session ?? (await latestHere(cli))?.id
    if (name === undefined) return []
    return await withChosen(cli, { session: name }, async (open) => {
      const { history, headRow } = open
      const about = (row: number) => {
        const record = history.record(row)
        return record === undefined ? "" : (entryText(record) ?? record.type)
      }
      const named = [...open.labels()].map(([entry, value]) => ({ value, about: about(history.rowOf(entry)) }))
      const rows = prompts(history, headRow)
      const asked = rows.map((row, index) => ({ value: `@${index + 1}`, row })).slice(-MOST)
      return [
        ...named,
        ...asked.reverse().map(({ value, row }) => ({ value, about: about(row) })),
        { value: "head", about: "the current position" },
      ]
    })
  } catch (error) {
    if (error instanceof RetconError) return []
    throw error
  }
}
