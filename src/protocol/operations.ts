// What can be asked of all sessions, and of an open one, as two tables. The server's endpoints, the client's calls and the pages about
// the API are loops over them; in process a front end calls the method of the same name.
import type { Work, WorkSession } from "./host.ts"
import type { Library } from "./library.ts"

export interface OperationRow {
  /** `read` changes nothing. `move`: the head or the files move, and the answer is a MoveResult. `change`: anything else. */
  kind: "read" | "move" | "change"
  about: string
  /** Its endpoint, if that has another name. */
  path?: string
  /**
   * What the request calls the method's arguments. `...`: an object with all other fields. `signal`: aborts when nobody waits;
   * `job`: an object with it.
   */
  takes?: readonly string[]
  /** What the answer calls a value that is no object of its own; null: the method returns nothing. */
  gives?: string | null
  /** The answer may be a refusal, as a value. */
  refuses?: true
  /** It is asked of the agent in the session, which not every session has. */
  work?: true
}

const moves = { kind: "move", refuses: true } as const

export const OPERATIONS = {
  back: { ...moves, about: "Go back to before the last prompt", takes: ["..."] },
  goto: { ...moves, about: "Go to any entry", takes: ["entry", "..."] },
  undo: { ...moves, about: "Undo the last move or round", takes: ["..."] },
  redo: { ...moves, about: "Redo what you undid", takes: ["..."] },
  restore: { ...moves, about: "Restore files as they were at an entry", takes: ["entry", "..."] },
  revert: { ...moves, about: "Take back the file changes of single rounds", takes: ["rounds", "..."] },
  bring: { ...moves, about: "Bring what another branch found and changed, or single rounds", takes: ["what", "..."] },
  pick: { ...moves, about: "Go to a branch with its files", takes: ["branch", "..."] },
  split: { kind: "change", about: "Create a session from this path", takes: ["entry", "cwd"] },
  compact: {
    kind: "change",
    about: "Replace the older part of the conversation with a summary",
    takes: ["focus"],
    refuses: true,
  },
  omit: { kind: "change", work: true, about: "Continue without content that a provider refuses", takes: ["entry"] },
  label: { kind: "change", path: "labels", about: "Give an entry a name", takes: ["entry", "name"], gives: "entry" },
  title: { kind: "change", about: "Give the session a title", takes: ["title"], gives: null },
  archive: { kind: "change", about: "Hide a session from lists, or show it again", takes: ["archived"], gives: null },
  setModel: { kind: "change", work: true, path: "model", about: "Choose the model", takes: ["model"], gives: null },
  setThinking: {
    kind: "change",
    work: true,
    path: "thinking",
    about: "Choose how much the model thinks",
    takes: ["level"],
    gives: null,
  },
  explore: {
    kind: "change",
    work: true,
    about: "Several attempts at a prompt, each in a copy of the folder",
    takes: ["..."],
    refuses: true,
  },
  attempts: { kind: "read", about: "Attempts that run, or whose copies are still there", gives: "attempts" },
  finishAttempts: {
    kind: "change",
    path: "attempts/finish",
    about: "Take in what interrupted attempts did",
    gives: "attempts",
  },
  cleanAttempts: { kind: "change", path: "attempts/clean", about: "Remove the copies of attempts", takes: ["..."] },
  setMode: {
    kind: "change",
    work: true,
    path: "mode",
    about: "Choose what the agent may do without asking",
    takes: ["mode"],
    gives: null,
  },
  offers: {
    kind: "read",
    about: "What another agent's program offers here: modes, models, slash commands",
    gives: "offers",
  },
  choose: {
    kind: "change",
    work: true,
    about: "Choose a mode, model or effort that another agent's program offers",
    takes: ["what", "value"],
    gives: null,
  },
  permissions: { kind: "read", about: "What the agent may do without asking, and what is forbidden" },
  allow: {
    kind: "change",
    work: true,
    path: "rules",
    about: "Allow one more rule in this session",
    takes: ["rule"],
    gives: null,
  },
  revoke: {
    kind: "change",
    work: true,
    path: "rules/revoke",
    about: "Revoke a rule of this session",
    takes: ["rule"],
    gives: "revoked",
  },
  unsend: {
    kind: "change",
    work: true,
    about: "Take back a queued message that the model has not received yet",
    gives: "input",
  },
  draft: { kind: "read", about: "What was typed in the session and not sent", gives: "draft" },
  keepDraft: {
    kind: "change",
    path: "draft",
    about: "Keep what is typed now, until it is sent",
    takes: ["text", "media"],
    gives: null,
  },
  rounds: {
    kind: "read",
    path: "prompts",
    about: "The person's prompts with what each round changed, oldest first",
    takes: ["..."],
    gives: "prompts",
  },
  search: {
    kind: "read",
    about: "Search all branches of this session, newest first",
    takes: ["text", "limit", "signal"],
    gives: "hits",
  },
  compare: {
    kind: "read",
    about: "How two branches differ: what was said, done and changed since they parted",
    takes: ["..."],
    refuses: true,
  },
  doctor: { kind: "read", about: "The contents of a session, and any damage" },
  context: { kind: "read", about: "What the model would receive now", gives: "messages" },
  reading: {
    kind: "read",
    about: "Which files of yours and the project's the agent reads, which not, and why",
    gives: "files",
  },
} as const satisfies {
  [Name in keyof WorkSession]?: OperationRow & (Name extends keyof Work ? { work: true } : { work?: never })
}

export type OperationName = keyof typeof OPERATIONS

/** Whether it is asked of the agent in a session. */
export function isWork(name: OperationName): name is OperationName & keyof Work {
  return "work" in OPERATIONS[name]
}

const asked = { takes: ["...", "job"] } as const

export const LIBRARY = {
  agents: {
    ...asked,
    kind: "read",
    about: "Whose programs can begin a session in a folder",
    gives: "agents",
  },
  find: { ...asked, kind: "read", path: "search", about: "Search all branches of all sessions, best match first" },
  usage: { ...asked, kind: "read", about: "Requests, tokens and money by day, model, agent, project or session" },
  cost: { ...asked, kind: "read", about: "What a session with its sub-agents has cost, and its directory" },
  edits: { ...asked, kind: "read", about: "What the agents changed, over all sessions, the newest first" },
  why: { ...asked, kind: "read", about: "Who wrote a line, or made a commit, and what they were asked" },
  blame: { ...asked, kind: "read", about: "Which prompt of which session last changed each line of a file" },
  examine: { ...asked, kind: "read", path: "doctor", about: "What is wrong with sessions, and what is no longer safe" },
  secrets: { ...asked, kind: "read", about: "How many secrets of which kind sessions contain; never a value" },
  gc: { ...asked, kind: "change", about: "Free disk space: empty the trash and delete unused snapshots" },
  keep: { ...asked, kind: "change", about: "Copy other agents' sessions, because those agents remove them" },
  restoreKept: {
    ...asked,
    kind: "change",
    path: "keep/restore",
    about: "Give a session back that its agent has removed",
  },
  moved: { ...asked, kind: "change", about: "Take over the sessions of a folder that was moved" },
} as const satisfies Record<keyof Library, OperationRow>

export type LibraryName = keyof Library

/** The part of an open session that the table describes. */
export type Operations = Pick<WorkSession, OperationName>

export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]
export const LIBRARY_NAMES = Object.keys(LIBRARY) as LibraryName[]

type Fields = Readonly<Record<string, unknown>>
type Method = (...args: unknown[]) => Promise<unknown>

/** Carries out a request: its fields become the method's arguments. Contract: the caller has checked the fields. */
export async function carryOut<Name extends string>(
  on: { readonly [Each in Name]: unknown },
  name: Name,
  { takes = [], gives }: OperationRow,
  { signal, ...fields }: Fields,
): Promise<object> {
  const named = new Set(takes)
  const others = Object.fromEntries(Object.entries(fields).filter(([key]) => !named.has(key)))
  const all: Fields = { ...fields, "...": others, signal, job: { signal } }
  const answer = await (on[name] as Method).call(on, ...takes.map((key) => all[key]))
  if (typeof gives === "string") return { [gives]: answer ?? null }
  return (answer as object | undefined) ?? {}
}

/** The methods, each as a request for `ask`: the reverse of `carryOut`. */
export function operationsBy<Port>(
  rows: { readonly [Name in keyof Port]: OperationRow },
  ask: (name: keyof Port & string, row: OperationRow, fields: Fields, signal?: AbortSignal) => Promise<Fields>,
): Port {
  const method = (name: keyof Port & string, row: OperationRow): Method => {
    const { takes = [], gives } = row
    return async (...args) => {
      const given = takes.map((key, at) => (key === "..." || key === "job" ? args[at] : { [key]: args[at] }))
      const { signal, tick: _, ...fields } = Object.assign({}, ...given) as Record<string, unknown>
      const answer = await ask(name, row, fields, signal as AbortSignal | undefined)
      return typeof gives === "string" ? (answer[gives] ?? undefined) : gives === null ? undefined : answer
    }
  }
  const each = Object.entries(rows) as [keyof Port & string, OperationRow][]
  return Object.fromEntries(each.map(([name, row]) => [name, method(name, row)])) as unknown as Port
}
