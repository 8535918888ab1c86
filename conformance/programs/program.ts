// A real program of another agent: how to install it, set it up and prompt it, and what it adds to a request by itself.
import type { AgentName } from "../../src/formats/port.ts"
import type { Json } from "../../src/model/json.ts"
import type { WireAnswer } from "../../test/provider/wire/server.ts"
import type { Protocol } from "../model/protocol.ts"
import type { Wording } from "../said.ts"
import type { Terminal } from "../terminal.ts"

/** Where one program runs. Everything is removed afterwards, except what was installed. */
export interface Place {
  /** The folder with its `node_modules`. */
  installed: string
  /** The same for the adapter by which retcon drives it, if it needs one. */
  adapter: string
  home: string
  /** The folder it works in. */
  work: string
  /** The URL of the fake model. */
  url: string
}

export interface Command {
  argv: [string, ...string[]]
  env?: Record<string, string>
  /** For its standard input. */
  input?: string
}

/** A session as listed by `retcon ls`. */
export interface Listed {
  file: string
  /** The command that continues it in its program, as retcon prints it. */
  resume: string[]
}

export interface ToolCall {
  name: string
  input: Json
  /** The namespace of the name, if the program has such. */
  namespace?: string
}

/** A program in a terminal, where a person types. */
export interface TypedProgram {
  /** Settles what it would ask someone who starts it for the first time. */
  setUp: (place: Place) => void
  command: (place: Place, resume: string[]) => Command
  /** What it asks before that in a new folder, where Enter is the answer. */
  asks?: RegExp
  /** Shows that it waits for a prompt. */
  ready: RegExp
  /** Goes back to before the last prompt but one by its own means. Absent: the cases do not know how. */
  rewind?: (terminal: Terminal, prompt: string) => Promise<void>
  /** Stops the agent; Esc by default. */
  interrupt?: (terminal: Terminal) => Promise<void>
  /** Shows that a prompt typed while the agent works waits for it. */
  queued?: RegExp
  /** Runs a command from its prompt, as a person does who begins a line with `!`, until `shows` is on the screen. */
  shellLine?: (terminal: Terminal, command: string, shows: string) => Promise<void>
  /** A prompt whose answer was interrupted is no longer part of the conversation. */
  takesBack?: true
  /** Saves the conversation so far under a name, and brings it back. Absent: it has no such commands. */
  saved?: { save: (terminal: Terminal) => Promise<void>; bringBack: (terminal: Terminal) => Promise<void> }
  leave: (terminal: Terminal) => Promise<void>
}

/** How it is made to ask before it writes a file: a mode to choose, and variables to start it with. */
export interface Asks {
  /** With its own tool for that it does not ask. */
  by?: "shell"
  mode?: string
  env?: Record<string, string>
}

export interface Program extends Wording {
  /** Its name on the command line. */
  name: string
  agent: AgentName
  version: string
  /** The package on npm that people install. */
  npm: string
  /** What to install of it, with exact versions: as little as possible. */
  packages: Record<string, string>
  /** The package is self-contained, and not all of its declared dependencies can be installed. */
  bundled?: string
  protocol: Protocol
  /** Writes its settings: the fake model, no approvals, nothing sent elsewhere. */
  setUp: (place: Place) => void
  /** Sends one prompt and ends. `resume`: what retcon prints after the program's name to resume; empty if new. */
  ask: (place: Place, prompt: string, resume: string[]) => Command
  /** How to make it summarise a session: a command, or an answer that fills the window; or why that is not possible. */
  compacts: { by: (place: Place, resume: string[]) => Command } | { tokens: number } | string
  /** retcon does not move in its sessions: every move is refused. */
  stays?: true
  /** The cases in which retcon refuses a move that this program would not follow, or of whose files nothing is known. */
  refuses?: readonly string[]
  /** It resumes no session without a prompt, and retcon refuses to go there: see the case "first prompt". */
  needsPrompt?: boolean
  /** The file with a session's lines, if it is not the one that `retcon ls` names. */
  linesOf?: (file: string) => string
  /** Calls of its own tools. */
  write: (path: string, text: string) => ToolCall
  shell: (command: string) => ToolCall
  /** A command that its result does not wait for. */
  background?: (command: string) => ToolCall
  /** What the program tells its model by itself when such a command has ended. Absent: it waits for the next prompt. */
  notifies?: string
  /** Why there is no `background`. */
  noBackground?: string
  /** Reads a file, if the program requires that before an edit. */
  read?: (path: string) => ToolCall
  /** Edits a file that it has written before. Absent: it edits as it writes. */
  edit?: (path: string, from: string, to: string) => ToolCall
  /** Makes a sub-agent answer a prompt. */
  task?: (prompt: string) => ToolCall
  /** How a sub-agent gives its answer, if it does more than say it. */
  taskAnswer?: (text: string) => WireAnswer
  /** What the result of `task` contains, if the program does not wait for the sub-agent. */
  taskStarted?: string
  /** Why it starts no sub-agent, if there is no `task`. */
  noTask?: string
  /** Takes the last prompt of a session back by its own means, without its terminal. Absent: it has none, or a case types it. */
  undoes?: (place: Place, session: string) => Promise<void>
  /** Prompts that it sends, but leaves out when it resumes. */
  forgets?: readonly string[]
  /** Absent: the cases do not drive its terminal. */
  typed?: TypedProgram
  /**
   * What becomes of a file without hooks, in hooks.md, when it was changed by an edit tool, a command, a sub-agent's edit and its
   * command, in the background, by the person. Absent: a restore is refused.
   */
  unhooked?: readonly ("comes back" | "named" | "counted" | "stays")[]
  /** The same without a terminal, if that differs. */
  unhookedAsked?: Program["unhooked"]
  /** The command by which retcon drives it, and what that starts. `packages`: of its adapter. Absent: retcon does not. */
  driven?: { name: string; start: (place: Place) => Command; packages?: Record<string, string>; asks?: Asks }
  /** Why it cannot be made to ask before it writes. */
  noQuestions?: string
  /** Why a prompt cannot have an image when it is driven. */
  noImages?: string
  /** Its name for `retcon hooks install`. */
  hooks?: string
  /** Why there are no `hooks`. */
  noHooks?: string
  /** Installs hooks of the person's own that add these texts at a session's start, with a prompt and after a call. */
  ownHooks: (place: Place, texts: { start: string; prompt: string; tool: string }) => void
  /** Which of these texts the program adds; all by default. */
  hooksSay?: readonly ("start" | "prompt" | "tool")[]
  /** Its name for `retcon mcp install`; and what it calls a tool of that server. */
  mcp?: { agent: string; tool: (name: string) => Omit<ToolCall, "input"> }
  /** Why there is no `mcp`. */
  noMcp?: string
  /** Whether a result is what the program sends for a call that has none. */
  unanswered?: (text: string) => boolean
  /** The program sends consecutive prompts as one text, with this in between. */
  joins?: string
  /** What `unframed`, `unanswered` and `joins` do, in words: sentences without a full stop. */
  rewords?: readonly string[]
}

/** A line that begins with `!`, in a terminal; resolves when the command has shown something. */
export async function bang(terminal: Terminal, command: string, shows: string): Promise<void> {
  await terminal.type("!")
  await terminal.type(command)
  terminal.press("Enter")
  await terminal.sees(shows)
}

/** Interrupts the agent in most terminals. */
export async function escape(terminal: Terminal): Promise<void> {
  terminal.press("Escape")
}

/** A hook in the form that several programs share. */
export function hooked(command: string): object[] {
  return [{ hooks: [{ type: "command", command }] }]
}

/** One that adds a text to the conversation. */
export function hookSays(event: string, text: string): object[] {
  const told = { hookSpecificOutput: { hookEventName: event, additionalContext: text } }
  return hooked(`echo '${JSON.stringify(told)}'`)
}

/** Goes up in a list until this is on the screen, and takes it. */
export async function choose(terminal: Terminal, marked: string): Promise<void> {
  for (let screen = terminal.screen; !screen.includes(marked); ) {
    const before = screen
    terminal.press("Up")
    screen = await terminal.changes(before)
  }
  terminal.press("Enter")
}

/** Removes the prompt that a program offers again after a rewind. */
export async function emptied(terminal: Terminal, offered: RegExp, ready: RegExp): Promise<void> {
  await terminal.sees(offered)
  terminal.press("C-u")
  await terminal.sees(ready)
}
