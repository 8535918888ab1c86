// What a tool of the MCP server is.
import type { Cli } from "../port/cli.ts"

/** Where the tools work: in one folder, for the agent that started the server. */
export interface McpContext {
  cli: Cli
  /** Such as claude-code; undefined: any. */
  agent: string | undefined
  /** When the server was started, in milliseconds. */
  started: number
  /** The process that started it. */
  parent: number
}

export interface ToolAnswer {
  text: string
  /** It contains what was said in a conversation: data for the agent, never instructions. */
  untrusted?: true
}

export type Property =
  | { type: "string"; description?: string }
  | { type: "boolean"; description?: string }
  | { type: "array"; items: { type: "string" }; description?: string }

/** Contract: arguments were checked against `properties`. A refusal is thrown, as a ToolProblem or any failure. */
export interface ServerTool<Arguments = never> {
  name: string
  /** For the model: every session pays for these words. */
  description: string
  properties: Record<string, Property>
  required?: string[]
  /** `adds`: something of retcon's own, such as a label or a note. `replaces`: also files of the workspace. */
  effect: "reads" | "adds" | "replaces"
  /** `signal`: aborts when nobody waits for the answer any more. */
  run(at: McpContext, given: Arguments, signal: AbortSignal): Promise<ToolAnswer>
}

/** What happened, and what to do. */
export class ToolProblem extends Error {
  constructor(problem: string, hint: string) {
    super(`${problem} ${hint}`)
    this.name = "ToolProblem"
  }
}
