// The language-model port: one step in, a stream of events out. Everything above it uses only this.
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part, Usage } from "../../model/record/record.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"

export interface ModelMessage {
  role: "system" | "user" | "assistant" | "tool"
  content: Part[]
}

export interface ToolSpec {
  name: string
  description: string
  /** JSON schema */
  input: JsonObject
}

export interface StepRequest {
  messages: readonly ModelMessage[]
  tools: readonly ToolSpec[]
  signal: AbortSignal
  maxOutputTokens?: number
  /** Undefined: the model's default. */
  thinking?: ThinkingLevel
  /** Identifies the conversation, for providers that keep a prompt cache by name. */
  session?: string
}

export type FinishReason = "stop" | "tool-calls" | "length" | "filter" | "other"

export interface ModelProblem {
  kind: "overflow" | "auth" | "rate-limit" | "network" | "server" | "aborted" | "invalid" | "stalled"
  /** For people. Never contains a key. */
  message: string
  /** HTTP status, if there was a response. */
  status?: number
  /** For how many milliseconds the provider wants no request: longer than a person would wait. */
  waitMs?: number
}

/** Contract: never throws; failures are events; the stream ends with exactly one `finish` or `failed`. */
export type ModelEvent =
  | { type: "text-start" }
  | { type: "text-delta"; text: string }
  | { type: "text-end" }
  | { type: "reasoning-start" }
  | { type: "reasoning-delta"; text: string }
  | { type: "reasoning-end"; meta?: JsonObject }
  /** Sent once the whole answer has arrived. `invalid`: why the input is not usable; `input` is then what was sent. */
  | { type: "tool-call"; call: string; name: string; input: Json; invalid?: string }
  /** Attempt `attempt` failed; the next one starts after `waitMs`. What was streamed so far is void. */
  | { type: "retry"; attempt: number; waitMs: number; problem: string }
  /** What a person should know about this request: something was left out of it, or ignored in its answer. */
  | { type: "notice"; text: string }
  /**
   * `content`: the whole assistant message, to be recorded and sent back as it is. `usage.input` counts what was neither
   * read from nor written to the prompt cache.
   */
  | { type: "finish"; reason: FinishReason; content: Part[]; usage: Usage }
  | { type: "failed"; problem: ModelProblem }

/** In dollars per million tokens. */
export interface Price {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
}

export interface Model {
  /** provider/name */
  readonly id: string
  /** Tokens of context; undefined if unknown. */
  readonly window: number | undefined
  readonly maxOutput: number | undefined
  readonly price?: Price
  step(request: StepRequest): AsyncIterable<ModelEvent>
}
