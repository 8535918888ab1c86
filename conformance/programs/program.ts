// A real program of another agent: how it is installed, set up, asked, and what it adds to a request by itself.
import type { AgentName } from "../../src/formats/port.ts"
import type { Json } from "../../src/model/json.ts"
import type { Protocol } from "../model/protocol.ts"

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
}

/** A session as `retcon ls` names it. */
export interface Listed {
  file: string
  /** The program's own name of it. */
  name: string
}

export interface ToolCall {
  name: string
  input: Json
}

export interface Program {
  /** As the command line names it. */
  name: string
  agent: AgentName
  version: string
  /** From npm, with exact versions. */
  packages: Record<string, string>
  protocol: Protocol
  /** Writes its settings: the fake model, no approvals, nothing sent elsewhere. */
  setUp: (place: Place) => void
  /** Asks one prompt, of a new session or of this one, and ends. */
  ask: (place: Place, prompt: string, session: Listed | undefined) => Command
  /** Summarises the session so far. Absent: it cannot be asked to without a terminal. */
  compact?: (place: Place, session: Listed) => Command
  /** Calls of its own tools. */
  write: (path: string, text: string) => ToolCall
  shell: (command: string) => ToolCall
  /** Whether a text of a request is added each time, and is nothing that was said. */
  injected: (text: string) => boolean
  /** The same in words. */
  leavesOut: string
}
