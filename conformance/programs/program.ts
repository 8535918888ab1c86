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
  /** The package is complete in itself, and what it says it depends on cannot all be installed. */
  bundled?: string
  protocol: Protocol
  /** Writes its settings: the fake model, no approvals, nothing sent elsewhere. */
  setUp: (place: Place) => void
  /** Asks one prompt and ends. `resume`: what retcon prints behind the program's name to continue a session; empty for a new one. */
  ask: (place: Place, prompt: string, resume: string[]) => Command
  /** How it comes to summarise a session: by a command, by an answer that fills the window, or why it cannot be brought to. */
  compacts: { by: (place: Place, resume: string[]) => Command } | { tokens: number } | string
  /** Why retcon moves nothing in its sessions. Absent: it does. */
  stays?: string
  /** The file of a session's lines, where that is not what `retcon ls` names. */
  linesOf?: (file: string) => string
  /** Calls of its own tools. */
  write: (path: string, text: string) => ToolCall
  shell: (command: string) => ToolCall
  /** Has a sub-agent answer a prompt. Absent: it has none. */
  task?: (prompt: string) => ToolCall
  /** `retcon hooks install` knows it by this name. Absent: it has no hooks, or none that retcon knows. */
  hooks?: string
  /** Whether a text of a request is added each time, and is nothing that was said. */
  injected: (text: string) => boolean
  /** Prompts that follow each other are sent as one text, with this in between. */
  joins?: string
  /** Both in words. */
  leavesOut: string
}
