// Hooks of other agents: programs that an agent runs at certain moments, with JSON about the moment on their standard input.
import type { AgentHomes, AgentName } from "../formats/port.ts"
import type { JsonObject } from "../model/json.ts"

/**
 * What a moment means to us. `keep`: the agent is about to change or leave the session's file, so that a copy is due.
 */
export type HookMoment = "round-begins" | "call-begins" | "call-ends" | "round-ends" | "keep"

export interface HookEvent {
  moment: HookMoment
  /** The agent's own name of the session. */
  session: string
  /** Where the agent works. */
  cwd: string
  /** The session's file. It may not be there yet. */
  transcript: string | undefined
  /** The agent's own ids: see `HookNames`. */
  prompt?: string
  call?: string
  /** The sub-agent that the moment is of. */
  agent?: string
  /** The files that the call can change, as it names them; absent: it may change anything. */
  paths?: string[]
}

/** One entry of an agent's settings: when to run the hook. */
export interface HookedEvent {
  event: string
  /** Only for these tools, as a regular expression. */
  matcher?: string
}

/** What one agent's hooks are. */
export interface AgentHooks {
  readonly agent: AgentName
  /** Undefined: there is nothing to do. Contract: pure; the input may be anything. */
  read(input: JsonObject): HookEvent | undefined
  /** The folder that a session was started in, from the first bytes of its file. */
  startedIn(head: Buffer): string | undefined
  /** What stands in the session's file once a call has its result. */
  resultMark(call: string): string
  /** Its settings: of the person, or with `cwd` of the project. */
  settings(homes: AgentHomes, cwd?: string): string
  readonly events: readonly HookedEvent[]
}
