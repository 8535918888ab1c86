// Hooks of other agents: programs that an agent runs at certain moments, with JSON about the moment on their standard input.
import type { AgentHomes, AgentName } from "../formats/port.ts"
import type { JsonObject } from "../model/json.ts"
import type { HookNames } from "../model/record/record.ts"
import type { HookProgram } from "./command.ts"

/** What a moment means to us. `keep`: the agent is about to rewrite or abandon the session's file, so it is time for a copy. */
export type HookMoment = "round-begins" | "call-begins" | "call-ends" | "round-ends" | "keep"

export interface HookEvent {
  moment: HookMoment
  /** The agent's own name for the session. */
  session: string
  /** Where the agent works. */
  cwd: string
  /** The session's file, which may not exist yet. */
  transcript: string | undefined
  /** The agent's own ids: see `HookNames`. */
  prompt?: string
  call?: string
  /** The sub-agent concerned. */
  agent?: string
  /**
   * The agent gives no ids: names are derived from the hook's input and its time (`digest-name.ts`). A call ends under
   * another name than it began with.
   */
  digestNames?: boolean
  /** The files that the call can change, as it names them. Absent if it may change anything. */
  paths?: string[]
  /** At the end of a call: the command that it ran, and for how many milliseconds, without the time that a person was asked. */
  command?: string
  ran?: number
}

/** `problem`: why the file cannot be changed, to complete "it cannot be changed:". */
export type Edited = { ok: true; text: string } | { ok: false; line?: number; problem: string }

/** The text of the file that tells an agent to run the hook. Contract: pure; keeps everything that is not ours byte for byte. */
export interface HookSettings {
  /** The person's own file; with `cwd`, the project's. */
  file(homes: AgentHomes, cwd?: string): string
  /** `text`: empty if there is no file. */
  add(text: string, program: HookProgram): Edited
  remove(text: string): Edited
  /** The events that run our hook for all that it is meant for, with the command for each. */
  read(text: string): { event: string; command: string }[]
}

/** One agent's hooks. */
export interface AgentHooks {
  readonly agent: AgentName
  /** Undefined: nothing to do. Contract: pure; the input may be anything. */
  read(input: JsonObject): HookEvent | undefined
  /** The folder that a session was started in, according to the first bytes of its file. */
  startedIn(head: Buffer): string | undefined
  /** A text that is in the session's file once the call has its result. Undefined if there is none to look for. */
  resultMark(call: string): string | undefined
  /**
   * When a call had ended, in milliseconds, according to the file of its agent or sub-agent: it may have been interrupted, which
   * no hook tells. Undefined if the file does not say so. `transcript`: a file of the same session.
   */
  endedAt?(transcript: string, call: HookNames): number | undefined
  readonly settings: HookSettings
  /** Settings that stop every hook: the files that may have them, and which key of a file's text does it. */
  readonly off?: { files(homes: AgentHomes, cwd: string): string[]; keyIn(text: string): string | undefined }
  /** What the person must know or do after the installation. */
  readonly note: string
}
