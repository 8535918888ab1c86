// Every operation is offered by every front end, under its own name or another, or the reason why not is given here.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { TOOLS } from "../../src/cli/mcp/tools.ts"
import { makeProgram } from "../../src/cli/program.ts"
import { LIBRARY_NAMES, type LibraryName, OPERATION_NAMES, type OperationName } from "../../src/protocol/operations.ts"
import { ROUTES } from "../../src/server/routes/all-routes.ts"
import { COMMANDS } from "../../src/tui/commands/commands.ts"

const program = makeProgram({
  version: "",
  write: () => undefined,
  start: () => Promise.reject(new Error("nothing is started")),
  done: () => undefined,
})

type Name = OperationName | LibraryName
const NAMES: readonly Name[] = [...OPERATION_NAMES, ...LIBRARY_NAMES]

/** What the page's code calls. */
const page = readdirSync("web", { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:ts|svelte)$/.test(path))
  .map((path) => readFileSync(join("web", path), "utf8"))
  .join("\n")
const isCalled = (name: string) => new RegExp(`\\b(?:session|work|library)\\??\\.${name}\\(`).test(page)

const FRONT_ENDS = {
  "command line": new Set(program.commands.map((command) => command.name())),
  terminal: new Set(COMMANDS.map(({ name }) => name)),
  mcp: new Set(TOOLS.map(({ name }) => name)),
  api: new Set(ROUTES.map(({ name }) => name)),
  page: new Set<string>(NAMES.filter(isCalled)),
}
type FrontEnd = keyof typeof FRONT_ENDS

/** Where it has another name. */
const AS: Record<FrontEnd, Partial<Record<Name, string>>> = {
  "command line": {
    find: "search",
    restoreKept: "keep",
    examine: "doctor",
    secrets: "doctor",
    rounds: "prompts",
    context: "show",
    attempts: "explore",
    finishAttempts: "explore",
    cleanAttempts: "explore",
  },
  terminal: {
    setModel: "model",
    setThinking: "think",
    setMode: "mode",
    title: "title",
    choose: "mode",
    offers: "model",
    permissions: "allow",
    rounds: "rewind",
    search: "tree",
    find: "search",
    examine: "doctor",
    reading: "context",
    context: "the screen itself",
  },
  mcp: { find: "search", context: "read", rounds: "changes", label: "checkpoint" },
  api: {},
  // One method for both, by its name: `session[way](…)`.
  page: {},
}

const OF_A_TURN = "the command line asks for it as an option of the turn: --model, --think, --mode, --allow"
const OF_A_TURN_THERE = "a program that is driven ends with the command: what was chosen would be forgotten at once"
const OF_A_SHELL = "it is about files or folders, and is asked for where those are: in a shell"
const OF_COPIES =
  "`/explore` shows its attempts from beginning to end; their copies are looked after in a shell: `retcon explore`"
const THE_PERSONS = "what the person decides is not for an agent to change"
const NO_PLACE = "the page has no place for it: over the API, in a terminal or in a shell"
const COPIES_ELSEWHERE =
  "attempts are not begun on the page, so their copies are not looked after there: over the API or in a shell"
const AS_CONFIGURED = "on the page the agent works as it is configured: chosen in a terminal, or over the API"
const NOT_HERE: Record<FrontEnd, Partial<Record<Name, string>>> = {
  "command line": {
    setModel: OF_A_TURN,
    setThinking: OF_A_TURN,
    setMode: OF_A_TURN,
    permissions: OF_A_TURN,
    allow: OF_A_TURN,
    revoke: OF_A_TURN,
    offers: OF_A_TURN_THERE,
    choose: OF_A_TURN_THERE,
    agents: "`retcon run --agent NAME` says what is missing",
    reading: "a turn reads it: in a conversation, `/context` lists it",
    unsend: "a queued message belongs to a turn that this process runs, and `run` sends one message",
    draft: "nothing stays typed in a shell",
    keepDraft: "nothing stays typed in a shell",
  },
  terminal: {
    unsend: "a key: Alt+↑",
    draft: "it is in the editor when the session is opened",
    keepDraft: "it is kept when the session is left",
    archive: "a session that is open is in use",
    revoke: "`/allow` lists the rules, and removes them",
    context: "the conversation on the screen",
    attempts: OF_COPIES,
    finishAttempts: OF_COPIES,
    cleanAttempts: OF_COPIES,
    agents: "the terminal is started with one: `retcon --agent NAME`",
    blame: OF_A_SHELL,
    edits: OF_A_SHELL,
    why: OF_A_SHELL,
    usage: "`/cost` is of the session that is open; all of them are asked for in a shell, or on the page",
    secrets: OF_A_SHELL,
    gc: OF_A_SHELL,
    keep: OF_A_SHELL,
    restoreKept: OF_A_SHELL,
    moved: OF_A_SHELL,
  },
  mcp: {
    back: THE_PERSONS,
    goto: THE_PERSONS,
    undo: THE_PERSONS,
    redo: THE_PERSONS,
    revert: THE_PERSONS,
    bring: THE_PERSONS,
    pick: THE_PERSONS,
    split: THE_PERSONS,
    compact: THE_PERSONS,
    omit: THE_PERSONS,
    title: THE_PERSONS,
    archive: THE_PERSONS,
    setModel: THE_PERSONS,
    setThinking: THE_PERSONS,
    setMode: THE_PERSONS,
    permissions: THE_PERSONS,
    allow: THE_PERSONS,
    revoke: THE_PERSONS,
    unsend: THE_PERSONS,
    explore: THE_PERSONS,
    attempts: "an agent reads the branch of an attempt with `read`",
    finishAttempts: THE_PERSONS,
    cleanAttempts: THE_PERSONS,
    draft: THE_PERSONS,
    keepDraft: THE_PERSONS,
    offers: THE_PERSONS,
    choose: THE_PERSONS,
    agents: "other agents are programs of their own",
    usage: "an agent does not pay",
    compare: "which attempt is better is the person's to judge; an agent reads a branch with `read`",
    cost: "an agent does not pay",
    edits: "an agent asks for `changes` of a path, with the prompts that made them",
    why: "an agent asks for `changes` of a path, with the prompts that made them",
    blame: "an agent asks for `changes` of a path, with the prompts that made them",
    doctor: "an agent cannot mend a session",
    examine: "an agent cannot mend a session",
    secrets: THE_PERSONS,
    gc: THE_PERSONS,
    keep: THE_PERSONS,
    restoreKept: THE_PERSONS,
    moved: THE_PERSONS,
    reading: "other agents read their own",
  },
  api: {},
  page: {
    compact: "the agent does it by itself when there is no room; before that: in a terminal or in a shell",
    omit: "the failure that advises it shows the command for a shell",
    explore: NO_PLACE,
    attempts: COPIES_ELSEWHERE,
    finishAttempts: COPIES_ELSEWHERE,
    cleanAttempts: COPIES_ELSEWHERE,
    title: NO_PLACE,
    archive: NO_PLACE,
    setModel: AS_CONFIGURED,
    setThinking: AS_CONFIGURED,
    setMode: AS_CONFIGURED,
    permissions: AS_CONFIGURED,
    revoke: AS_CONFIGURED,
    unsend: "Stop gives back what is queued",
    rounds: "the page has the tree itself",
    context: "the page has the tree itself",
    search: "`find` of all sessions includes it",
    cost: NO_PLACE,
    blame: OF_A_SHELL,
    why: OF_A_SHELL,
    examine: "each session says what is wrong with it: `doctor`",
    secrets: OF_A_SHELL,
    gc: OF_A_SHELL,
    keep: OF_A_SHELL,
    restoreKept: OF_A_SHELL,
    moved: OF_A_SHELL,
  },
}

test.each(Object.keys(FRONT_ENDS) as FrontEnd[])("%s offers each operation, or says why not", (frontEnd) => {
  const has = FRONT_ENDS[frontEnd]
  const offered = NAMES.filter((name) => has.has(AS[frontEnd][name] ?? name))
  const excused = NAMES.filter((name) => NOT_HERE[frontEnd][name] !== undefined)
  expect([...offered, ...excused].sort()).toEqual([...NAMES].sort())
})
