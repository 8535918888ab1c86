// What a person is asked to allow, and what they answer.
import type { GrantId } from "./grant.ts"
import type { Json } from "./json.ts"

/** What exactly would happen. */
export type ApprovalAction =
  | { kind: "read"; path: string }
  | { kind: "write"; path: string; diff: string }
  /** `outsideSandbox`: other commands run in one, and this one would not. */
  | { kind: "command"; command: string; cwd: string; background: boolean; outsideSandbox?: true }
  | { kind: "restore"; checkpoint: number }
  | { kind: "other"; input: Json }

/** `session`: from now on too, as that grant of the question says; without one, the first, which is the narrowest. */
export type Approval =
  | { answer: "once" }
  | { answer: "session"; grant?: GrantId }
  /** `by`: nobody, when no person was asked; the reason says why. */
  | { answer: "no"; reason?: string; by?: "nobody" }
