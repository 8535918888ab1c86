// The Tool port: what the model may call. A tool knows no session: it gets what it needs, and reports what it changes.
import type { ApprovalAction } from "../../model/approval.ts"
import type { Grant } from "../../model/grant.ts"
import type { Json, JsonObject, Parsed } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import type { ModelMessage } from "../../provider/port/port.ts"
import type { WorkRoot } from "./work-root.ts"

/**
 * `reads` changes no file: it needs no approval, and runs in parallel with others. `writes` changes the files it names.
 * `runs` may do anything. (Task and Todo read: a sub-agent's calls are judged one by one, there.)
 */
export type EffectKind = "reads" | "writes" | "runs"

/** What a call would touch, so that a runner can take snapshots around it. */
export interface Effects {
  effect: EffectKind
  /** Absolute, as named: links are not resolved. */
  paths: readonly string[]
  /** It may change anything: only a snapshot of all files covers it. */
  anywhere: boolean
}

export interface Preview {
  action: ApprovalAction
  /** One line. */
  title: string
  /** What the preview was based on, such as a hash of the file. It comes back in `ToolContext.basis`. */
  basis?: string
  /** The call cannot work: the model learns this at once, and nobody is asked. */
  problem?: string
}

export interface ToolContext {
  /** The id of the call. */
  call: string
  root: WorkRoot
  signal: AbortSignal
  /** The environment of commands. Contains no provider's key. */
  env: Readonly<Record<string, string>>
  /** What the model sees in this step: what it has already read is in here, and nowhere else. */
  messages: readonly ModelMessage[]
  /** The most characters of output that reach the model. The step cuts longer output. */
  limit: number
  /** Called with output while it runs, for people. */
  emit: (text: string) => void
  now: () => number
  /** Whether a deny rule forbids reading this path. */
  hidden(path: string): boolean
  /** From the preview that was approved. */
  basis?: string
}

export interface ToolResult {
  output: string
  error?: true
  media?: Part[]
  /** Values that follow the path (todos), for the runner to record. */
  state?: JsonObject
  /** A move the model asks for. The runner makes it when all calls of the step have ended. */
  backtrack?: BacktrackRequest
  /** It failed for lack of consent: the person is asked about the same call with this input, which then replaces it. */
  again?: JsonObject
}

export interface BacktrackRequest {
  checkpoint: number
  note: string
  restoreFiles: boolean
}

/**
 * Contract: `parse` and the describing functions are pure. `run` ends soon after `signal` aborts; what it returns then
 * is dropped. It may throw: the step turns that into an error result.
 */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  /** JSON schema of the input. */
  readonly input: JsonObject
  parse(input: Json): Parsed<Input>
  effects(input: Input, root: WorkRoot): Effects
  preview(input: Input, root: WorkRoot): Promise<Preview>
  /** What may be allowed beyond this call, narrowest first. `paths`: its paths, with links resolved. */
  grants(input: Input, paths: readonly string[], root: WorkRoot): Grant[]
  /** Milliseconds; undefined: it ends by itself. */
  readonly timeout: number | undefined
  /** The most characters of output that reach the model. */
  readonly limit: number
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

export function failure(output: string): ToolResult {
  return { output, error: true }
}
