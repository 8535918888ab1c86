// What a person is asked to allow, and how they answer.
import type { GrantId } from "./grant.ts"
import type { Json } from "./json.ts"

/** Exactly what would happen. */
export type ApprovalAction =
  | { kind: "read"; path: string }
  | { kind: "write"; path: string; diff: string }
  /** `outsideSandbox`: this command would run outside the sandbox that other commands run in. */
  | { kind: "command"; command: string; cwd: string; background: boolean; outsideSandbox?: true }
  | { kind: "restore"; checkpoint: number }
  | { kind: "other"; input: Json }

/**
 * `session`: also allows later calls, as far as that grant says; if none is named, the question's first, the narrowest.
 */
export type Approval =
  | { answer: "once" }
  | { answer: "session"; grant?: GrantId }
  /** `by: "nobody"`: no person was asked; `reason` says why. */
  | { answer: "no"; reason?: string; by?: "nobody" }
