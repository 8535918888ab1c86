// Another agent's own program, which continues one of its own sessions or begins one. What it adds to the session is read from
// its file; what it says while it works, what it asks and what it offers comes through this port.
import type { ApprovalAction } from "../model/approval.ts"
import type { Json } from "../model/json.ts"
import type { AgentChoice, Offers } from "../model/offers.ts"
import type { Part, Usage } from "../model/record/record.ts"

export interface AgentProgram {
  /**
   * Starts the program for one of its sessions, or for a new one.
   * Contract: rejects only with RetconError `invalid` (not installed, not logged in, too old, wants a terminal): a sentence and
   * what to do. No process is left behind then.
   */
  open(request: OpenAgent): Promise<LiveAgent>
}

export interface OpenAgent {
  cwd: string
  /** Undefined: a new session, whose id `LiveAgent.session` says. */
  session: TheirSession | undefined
  /** Permission rules of that agent that the person has allowed in this session, as in `Denied.rule`. */
  allow: readonly string[]
  told: (event: ProgramEvent) => void
  /** Contract: settles at the latest when `signal` aborts; an aborted question counts as refused. Never rejects. */
  ask: (question: ProgramQuestion, signal: AbortSignal) => Promise<ProgramAnswer>
}

/** A session as its own program knows it. */
export interface TheirSession {
  /** The name by which the program resumes it. */
  id: string
  file: string
  /** The arguments that tell the program which session to resume. */
  resume: readonly string[]
}

/** A started program. One for a session: two of them would write to the same file. */
export interface LiveAgent {
  /** The id of its session, as in `TheirSession.id`. */
  readonly session: string
  /** What it has offered so far; `commands` and `settings` say that it has changed. */
  readonly offers: Offers
  /** One at a time. Contract: resolves for every end, also of the program; never rejects; no event of the turn comes after it. */
  prompt(input: { text: string; media: readonly Part[] }): Promise<ProgramEnd>
  /** A message while it works. False: not possible now; keep it for the next turn. */
  steer(text: string): Promise<boolean>
  /** Contract: `prompt` has resolved when this resolves, at most about a second later, if need be because the program was ended. */
  stop(): Promise<void>
  /** Contract: rejects with RetconError `invalid` if the program does not accept it. */
  choose(what: AgentChoice, value: string): Promise<void>
  /** Contract: afterwards no process of ours has the session open; `ended` proves it. A prompt that runs is stopped. Idempotent. */
  release(): Promise<ProcessesEnded>
  /** Resolves when its process has ended, for whatever reason. Then only `release` may be called. */
  readonly gone: Promise<void>
}

/** The processes that were ended. */
export interface ProcessesEnded {
  ended: readonly number[]
}

export type ProgramEvent =
  /** `answer`: the id of the pieces of this answer in the file (`MessageRecord.answer`), if the program reports it. */
  | { type: "step-start"; answer?: string }
  | { type: "text-delta"; text: string }
  | { type: "text-end" }
  | { type: "reasoning-delta"; text: string }
  | { type: "reasoning-end" }
  | { type: "tool-start"; call: string; name: string; input: Json }
  | { type: "tool-end"; call: string; output: string; error: boolean }
  /** An answer is complete. */
  | { type: "step-end"; usage: Usage }
  /** Its file has grown. */
  | { type: "grown" }
  /** `offers` has changed. These, and `notice`, may come at any time. */
  | { type: "commands" }
  | { type: "settings" }
  | { type: "notice"; level: "info" | "warning"; text: string }

/** What the program wants to do, and will not do without an answer. */
export interface ProgramQuestion {
  call: string
  tool: string
  title: string
  /** Contract: everything that the program says about what would happen. */
  action: ApprovalAction
  /** What else to know before answering, one sentence each. */
  warnings: readonly string[]
  /** In the program's own words and order. Contract: one of them means `once`. */
  options: readonly ProgramOption[]
}

export interface ProgramOption {
  id: string
  words: string
  means: "once" | "always" | "no" | "never"
}

/** `refused`: why, for the model. */
export type ProgramAnswer = { option: string } | { refused: string }

export interface ProgramEnd {
  outcome: "done" | "stopped" | "failed"
  /** Why it failed. */
  message?: string
  denied: Denied[]
}

/** A call that the program did not make, because nobody could approve it. */
export interface Denied {
  call: string
  tool: string
  input: Json
  /** The rule that would allow exactly this next time; undefined if there is none. */
  rule: string | undefined
}
