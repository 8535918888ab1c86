// Hooks of other agents: programs that an agent runs at certain moments, with JSON about the moment on their standard input.
import type { AgentHomes, AgentName } from "../formats/port.ts"
import type { JsonObject } from "../model/json.ts"
import type { HookProgram } from "./command.ts"

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

/** Why a file cannot be changed, when it cannot: continues "it cannot be changed:". */
export type Edited = { ok: true; text: string } | { ok: false; line?: number; problem: string }

/** The file that tells an agent to run the hook, as text. Contract: pure; all that is not ours stays, byte for byte. */
export interface HookSettings {
  /** Of the person; with `cwd`, of the project. */
  file(homes: AgentHomes, cwd?: string): string
  /** `text`: empty when there is no file. */
  add(text: string, program: HookProgram): Edited
  remove(text: string): Edited
  /** Which events run a hook of ours, and how. */
  read(text: string): { event: string; command: string }[]
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
  readonly settings: HookSettings
  /** What a person must know or do after it was installed. */
  readonly note: string
}
