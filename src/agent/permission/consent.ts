// Asking a person: what the question contains, and what the answers are.
import type { Approval, ApprovalAction } from "../../model/approval.ts"
import type { Grant } from "../../model/grant.ts"
import type { Decision, Policy } from "./policy.ts"

/** States exactly what would happen. */
export interface PermissionRequest {
  call: string
  tool: string
  /** One line. A path that is a link is shown with its target. */
  title: string
  action: ApprovalAction
  /** Where the call really leads, if that is outside the workspace. */
  outside: string[]
  /** What else the person should know before they answer, one sentence each. */
  warnings: string[]
  /** What may be allowed beyond this call, narrowest first. Each would allow this very call. */
  grants: Grant[]
}

/** Contract: `policy` is read again for each call, so that an answer counts from the next call on. */
export interface Consent {
  policy(): Policy
  /**
   * Contract: one question at a time. Settles soon after `signal` aborts. `judge` applies the policy as it is now: once
   * it allows or forbids the call, nobody has to answer.
   */
  ask(request: PermissionRequest, signal: AbortSignal, judge: () => Decision): Promise<Approval>
  /** The person allowed these rules for the session. Consent does not follow moves: store it as config. */
  granted(rules: readonly string[]): void | Promise<void>
}
