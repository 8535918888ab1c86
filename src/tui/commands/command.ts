// What a slash command is, and what it asks of the terminal: full-screen or line by line, the commands are the same.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { CompareRequest, Host, HostSession, MoveRequest, SessionContents } from "../../protocol/host.ts"
import type { Library } from "../../protocol/library.ts"
import type { ModelItem, Status } from "../../protocol/shapes.ts"
import type { Theme } from "../terminal/theme.ts"
import type { MoveLine } from "../words/move-line.ts"

export interface Command {
  name: string
  /** For the argument; empty if it takes none. */
  hint: string
  about: string
  run(terminal: CommandTerminal, argument: string): unknown
}

/** What a command may use. */
export interface CommandTerminal {
  readonly session: HostSession
  readonly theme: Theme
  /** With what was spent before the session was opened. */
  status: () => Status
  /** The status is out of date. */
  changed: () => void
  say: (level: "info" | "warning" | "error", text: string, hint?: string) => void
  print: (lines: (width: number) => string[]) => void
  fail: (error: unknown) => void
  /** Shows what is going on if it takes a while; `stop`: how to end it. */
  during: <Answer>(what: string, work: Promise<Answer>, stop?: () => void) => Promise<Answer>
  /** Asks what only the person knows, moves, and reports it. Undefined if they cancel, or decide later. */
  move: (move: TypedMove) => Promise<MoveResult | undefined>
  /** Before something is written: one that was only viewed becomes a file, another agent's is replaced by a copy. */
  keep: () => Promise<void>
  /** Leaves the session for a new one. */
  startNew: () => Promise<void>
  /** Leaves the session for this one. */
  open: (session: SessionId) => Promise<void>
  readonly show: Shows
  readonly services: CommandServices
  quit: () => void
}

export interface TypedMove {
  /** While it takes place, and afterwards. */
  doing: string
  did: string
  line: MoveLine
  make: (more: MoveRequest) => Promise<MoveResult>
  /** Restores files alone: shows them first. `since`: the entry whose files are restored. */
  files?: { title: string; since: string }
}

/** What is a page on the screen, and is printed line by line. */
export interface Shows {
  rewind(): Promise<void>
  tree(): Promise<void>
  branches(): Promise<void>
  diff(entry: string): Promise<void>
  compare(request: CompareRequest): Promise<void>
  sessions(): Promise<void>
  /** Finds words in all sessions. */
  search(words: string): Promise<void>
  /** Undefined if the person chooses none. `offered`: by another agent's program, which then are the only ones. */
  models(offered?: OfferedModels): Promise<PickedModel | undefined>
  help(): Promise<void>
}

/** A model, and how much it thinks; undefined: as configured, or the model's default. */
export interface PickedModel {
  model: string
  thinking: ThinkingLevel | undefined
}

export interface OfferedModels {
  items: readonly ModelItem[]
  now: string
  whose: string
}

/** What the command line knows about a session beyond the host. */
export interface CommandServices {
  host: Host
  cwd: string
  /** Searches all sessions. */
  find: Library["find"]
  /** Writes the path to a file, without secrets; returns what was done, in sentences. */
  exportSession: (session: SessionContents, argument: string) => Promise<string>
  /** Looks for damage; returns what to print. */
  doctor: (session: SessionContents) => Promise<(width: number) => string[]>
}

/** What follows the command makes no sense. */
export function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}
