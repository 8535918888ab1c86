// Asking a person: what the question holds, what the answers are.
import type { Action } from "../tool.ts"
import type { Policy } from "./policy.ts"

/** Names exactly what would happen. */
export interface PermissionRequest {
  call: string
  tool: string
  /** One line. */
  title: string
  action: Action
  /** Where the call really leads, when that is not in the workspace. */
  outside: string[]
  /** The rules that the answer `session` adds. */
  session: string[]
}

export type Answer = { answer: "once" } | { answer: "session" } | { answer: "no"; reason?: string }

/** Contract: `policy` is asked anew for each call, so that an answer counts from the next call on. */
export interface Consent {
  policy(): Policy
  /** Contract: one question at a time. Settles soon after `signal` aborts. */
  ask(request: PermissionRequest, signal: AbortSignal): Promise<Answer>
  /** The person allowed these rules for the session. Consent follows no move: store it as config. */
  granted(rules: readonly string[]): void | Promise<void>
}
