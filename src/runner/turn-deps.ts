// What a turn is run with. Everything that touches the machine or a person is passed in.
import type { Consent } from "../agent/permission/consent.ts"
import type { Tool } from "../agent/port/tool.ts"
import type { WorkRoot } from "../agent/port/work-root.ts"
import type { Jobs } from "../agent/process/jobs.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { Model } from "../provider/port/port.ts"
import type { Session } from "../session/session.ts"
import type { Coverage } from "./coverage.ts"
import type { LearnedWindows } from "./learned-window.ts"
import type { Meter } from "./meter.ts"
import type { Steering } from "./steering.ts"
import type { WindowLimits } from "./threshold.ts"

export interface TurnDeps {
  session: Session
  model: Model
  tools: readonly Tool[]
  root: WorkRoot
  /** What commands get: no key of a provider is in it. */
  env: Readonly<Record<string, string>>
  secrets: readonly string[]
  consent: Consent
  jobs: Jobs
  coverage: Coverage
  steering: Steering
  meter: Meter
  emit: (event: HostEvent) => void
  now: () => number
  /** Estimates the tokens of a text. */
  tokens: (text: string) => number
  /** Told what a whole context was estimated at, and what the provider reported for it. */
  learn?: (estimated: number, reported: number) => void
  limits: WindowLimits
  /** Told when a provider refuses a request as too long. `model` knows what was learned. */
  windows: LearnedWindows
  /** Whether checkpoints are set and Backtrack is offered. */
  backtrack: boolean
  /** The text of the system prompt for a path that has none yet. */
  systemPrompt: () => Promise<string>
  /** Steps of one turn, at most. */
  maxSteps: number
}
