// What a turn needs, grouped by what it affects. Each function asks only for the groups it uses.
import type { Consent } from "../../agent/permission/consent.ts"
import type { Tool, WorkRoot } from "../../agent/port/tool.ts"
import type { Jobs } from "../../agent/process/jobs.ts"
import type { EntryId } from "../../model/id.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Model } from "../../provider/port/port.ts"
import type { Session } from "../../session/session.ts"
import type { EntryDraft } from "../../session/state/draft.ts"
import type { LearnedWindows } from "../window/learned-window.ts"
import type { Meter } from "../window/meter.ts"
import type { WindowLimits } from "../window/threshold.ts"
import type { Coverage } from "./coverage.ts"
import type { Steering } from "./steering.ts"

/** The conversation, and the model and tools that continue it. */
export interface TurnConversation {
  session: Session
  model: Model
  tools: readonly Tool[]
  /** Whether checkpoints are set and Backtrack is offered. */
  backtrack: boolean
}

/** How much fits, estimated and learned. */
export interface TurnBudget {
  /** Estimates the tokens of a text. */
  tokens: (text: string) => number
  /** Receives the estimate for a whole context, and what the provider reported for it. */
  learn?: (estimated: number, reported: number) => void
  limits: WindowLimits
  /** Learns from requests that a provider refuses as too long. `model` has the window that was learned. */
  windows: LearnedWindows
  /** Counts what was spent. */
  meter: Meter
  /** The most steps in one turn. */
  maxSteps: number
}

/** The machine that the agent works on. */
export interface TurnMachine {
  root: WorkRoot
  /** The environment of commands, without any provider's key. */
  env: Readonly<Record<string, string>>
  secrets: readonly string[]
  jobs: Jobs
  coverage: Coverage
  now: () => number
}

/** The person who is asked, who steers and who watches. */
export interface TurnPerson {
  consent: Consent
  steering: Steering
  emit: (event: HostEvent) => void
}

export interface TurnDeps extends TurnConversation, TurnBudget, TurnMachine, TurnPerson {
  /** The text of the system prompt for a path that has none yet. */
  systemPrompt: () => Promise<string>
  /** What a process that was killed left of an answer at this head, for the log. */
  lostAnswer?: (head: EntryId | null) => EntryDraft | undefined
}
