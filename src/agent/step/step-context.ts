// What the parts of a step share, and the hooks through which the runner records it.
import type { Part, Usage } from "../../model/record/record.ts"
import type { FinishReason, ModelMessage } from "../../provider/port/port.ts"
import type { Consent } from "../permission/consent.ts"
import type { Effects, Tool, ToolResult, WorkRoot } from "../port/tool.ts"
import type { Emit } from "./step-events.ts"

export interface ToolInfo {
  call: string
  name: string
  input: unknown
  effects: Effects
}

/** Contract: if a hook rejects, the step ends with that rejection, once all running calls have ended. */
export interface StepHooks {
  /** The answer is complete and nothing has run yet: the moment to record it. */
  answered?(answer: { content: Part[]; reason: FinishReason; usage: Usage }): Promise<void>
  /** After the person has agreed, before it runs: the moment for a snapshot. */
  beforeTool?(info: ToolInfo): Promise<{ refuse: string } | undefined>
  afterTool?(info: ToolInfo, result: ToolResult): Promise<void>
}

/** The person who is asked, and who watches. */
export interface StepPerson {
  consent: Consent
  emit: Emit
  /** Asks the person one question after the other. */
  oneByOne<Value>(work: () => Promise<Value>): Promise<Value>
}

/** The machine that calls work on. */
export interface StepMachine {
  root: WorkRoot
  env: Readonly<Record<string, string>>
  now: () => number
  redact(text: string): string
  /** Whether there is anything for `redact` to remove. */
  masks: boolean
}

export interface StepLimits {
  parallel: number
  /** How many calls the answer contains. */
  calls: number
  /** The limit for all their outputs together. */
  characters: number
}

export interface StepContext extends StepPerson, StepMachine, StepLimits {
  tools: readonly Tool[]
  messages: readonly ModelMessage[]
  signal: AbortSignal
  hooks: StepHooks
}
