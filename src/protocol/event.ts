// What a host tells its front ends, as it happens. Names are noun-verb; streams have start, delta and end.
// `retcon run --json` prints them, one per line: fields may be added, none is renamed.
import type { ApprovalAction } from "../model/approval.ts"
import type { Advice } from "../model/failure/advice.ts"
import type { Grant } from "../model/grant.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { MovedFile } from "../model/move/moved.ts"
import type { OperationKind, Usage } from "../model/record/record.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { Totals } from "./shapes.ts"

/** Raised when a field of an event is given another meaning. */
export const EVENT_VERSION = 1

/** Events of a sub-agent carry the session it runs in. */
export interface FromTask {
  task?: { session: SessionId; call: string; depth: number }
}

export type HostEvent = FromTask &
  (
    | { type: "turn-start"; entry: EntryId; text: string }
    | { type: "step-start"; step: number }
    | { type: "text-delta"; text: string }
    | { type: "text-end" }
    | { type: "reasoning-delta"; text: string }
    | { type: "reasoning-end" }
    /** `diff`: what an edit would change, as unified text. */
    | { type: "tool-start"; call: string; name: string; title: string; input: Json; diff?: string }
    | { type: "tool-delta"; call: string; text: string }
    | {
        type: "tool-end"
        call: string
        name: string
        output: string
        error: boolean
        /** What it changed, as far as files are covered. */
        files: MovedFile[]
      }
    | ({ type: "approval-start"; approval: string; call: string; name: string } & ApprovalQuestion)
    /** `settled`: a rule or the mode answers it by now. `rules`: what was allowed for the session. */
    | {
        type: "approval-end"
        approval: string
        answer: "once" | "session" | "no" | "settled" | "withdrawn"
        rules?: string[]
      }
    | { type: "step-end"; entry: EntryId; usage: Usage }
    /** Entries were appended to the tree, by this turn or by somebody else. */
    | { type: "appended"; entries: EntryId[] }
    | { type: "steer-queued"; text: string }
    | { type: "steer-given"; entry: EntryId }
    | { type: "todos"; todos: { text: string; status: "pending" | "doing" | "done" }[] }
    | { type: "retry"; attempt: number; waitMs: number; problem: string }
    | { type: "compaction-start"; cause: "person" | "threshold" | "overflow" }
    /** Without an entry it was not made. The caller who asked for it gets an answer too. */
    | {
        type: "compaction-end"
        cause: "person" | "threshold" | "overflow"
        entry: EntryId | null
        messages: number
        missing: string[]
        problem?: string
      }
    | {
        type: "backtracked"
        checkpoint: number
        discards: number
        note: string
        /** The prompt it returned to, text only. */
        returnedTo: string | null
        entry: EntryId
      }
    | { type: "moved"; kind: OperationKind; by: "person" | "agent" | "api"; from: EntryId | null; to: EntryId | null }
    /** Another process appended; `apart`: it stands elsewhere than we do. */
    | { type: "changed"; lines: number; head: EntryId | null; apart: boolean }
    | { type: "notice"; level: "info" | "warning"; text: string; advice?: Advice }
    /** How commands are confined, as soon as it is known and when it changes. */
    | ({ type: "sandbox" } & SandboxState)
    | { type: "not-covered"; files: { path: string; because: string }[] }
    | { type: "turn-end"; outcome: "done" | "stopped" | "withdrawn" | "failed"; message?: string; totals: Totals }
    /** The last event of `retcon run --json`. */
    | {
        type: "end"
        session: SessionId
        head: EntryId | null
        outcome: "done" | "stopped" | "withdrawn" | "failed" | "steered"
        /** Why it failed, and what to do: as text, and as data. */
        message?: string
        hint?: string
        advice?: Advice
        totals: Totals
      }
  )

/** What a person is asked. Contract: all of it is shown before they can agree, `protocol/question.ts` has the words. */
export interface ApprovalQuestion {
  title: string
  action: ApprovalAction
  /** Where the call really leads, when that is not in the workspace. */
  outside: string[]
  /** What else to know before answering, a sentence each. */
  warnings: string[]
  /** What may be allowed beyond this call, narrowest first. */
  grants: Grant[]
}
