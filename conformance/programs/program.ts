// A real program of another agent: how it is installed, set up, asked, and what it adds to a request by itself.
import type { AgentName } from "../../src/formats/port.ts"
import type { Json } from "../../src/model/json.ts"
import type { WireAnswer } from "../../test/provider/wire/answer.ts"
import type { Protocol } from "../model/protocol.ts"
import type { Terminal } from "../terminal.ts"

/** Where one program runs. All of it is removed afterwards, except what was installed. */
export interface Place {
  /** The folder with its `node_modules`. */
  installed: string
  home: string
  /** The folder it works in. */
  work: string
  /** Of the fake model. */
  url: string
}

export interface Command {
  argv: [string, ...string[]]
  env?: Record<string, string>
  /** On its standard input. */
  input?: string
}

/** A session as `retcon ls` names it. */
export interface Listed {
  file: string
  /** The command that continues it in its program, as retcon prints it. */
  resume: string[]
}

export interface ToolCall {
  name: string
  input: Json
  /** Of the name, where the program has such. */
  namespace?: string
}

/** A program in a terminal, where a person types. */
export interface TypedProgram {
  /** Settles what it would ask a person who starts it for the first time. */
  setUp: (place: Place) => void
  command: (place: Place, resume: string[]) => Command
  /** It waits for a prompt. */
  ready: RegExp
  /** Goes back to before a prompt by its own means, with nothing typed after that. */
  rewind: (terminal: Terminal, prompt: string) => Promise<void>
  leave: (terminal: Terminal) => Promise<void>
}

export interface Program {
  /** As the command line names it. */
  name: string
  agent: AgentName
  version: string
  /** The package on npm that people install. */
  npm: string
  /** What is installed of it, with exact versions: as little as runs. */
  packages: Record<string, string>
  /** The package is self-contained, and not all of its declared dependencies can be installed. */
  bundled?: string
  protocol: Protocol
  /** Writes its settings: the fake model, no approvals, nothing sent elsewhere. */
  setUp: (place: Place) => void
  /** Asks one prompt and ends. `resume`: what retcon prints behind the program's name to continue a session; empty for a new one. */
  ask: (place: Place, prompt: string, resume: string[]) => Command
  /** How to make it summarise a session: a command, or an answer that fills the window; or why that is not possible. */
  compacts: { by: (place: Place, resume: string[]) => Command } | { tokens: number } | string
  /** Why retcon moves nothing in its sessions. Absent: it does. */
  stays?: string
  /** It resumes no session without a prompt, and retcon refuses to go there: see the case "first prompt". */
  needsPrompt?: boolean
  /** The file of a session's lines, where that is not what `retcon ls` names. */
  linesOf?: (file: string) => string
  /** Calls of its own tools. */
  write: (path: string, text: string) => ToolCall
  shell: (command: string) => ToolCall
  /** Of a file that it has written before. Absent: it edits as it writes. */
  edit?: (path: string, from: string, to: string) => ToolCall
  /** Has a sub-agent answer a prompt. */
  task?: (prompt: string) => ToolCall
  /** How a sub-agent gives its answer, where that is more than to say it. */
  taskAnswer?: (text: string) => WireAnswer
  /** In the result of `task`, where the program does not wait for the sub-agent. */
  taskStarted?: string
  /** Why no sub-agent is started in it, where there is no `task`. */
  noTask?: string
  /** Absent: the cases do not drive its terminal. */
  typed?: TypedProgram
  /** `retcon hooks install` knows it by this name. */
  hooks?: string
  /** Why there are no `hooks`. */
  noHooks?: string
  /** `retcon mcp install` knows it by this name; and what it calls a tool of that server. */
  mcp?: { agent: string; tool: (name: string) => Omit<ToolCall, "input"> }
  /** Why there is no `mcp`. */
  noMcp?: string
  /** Whether a text of a request is added each time, and is nothing that was said. */
  injected: (text: string) => boolean
  /** A text without the words that the program puts around it when it sends it. Absent: it does so with none. */
  unframed?: (text: string) => string
  /** Whether a result is what the program sends for a call that has none. */
  unanswered?: (text: string) => boolean
  /** Prompts that follow each other are sent as one text, with this in between. */
  joins?: string
  /** Both in words. */
  leavesOut: string
}
