// The events that a host sends its front ends. Names are noun-verb; streams have start, delta and end.
// `retcon run --json` prints them, one per line, except `status`: fields may be added, none is renamed.
import type { ApprovalAction } from "../model/approval.ts"
import type { Advice } from "../model/failure/failure.ts"
import type { Grant } from "../model/grant.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { MovedFile } from "../model/move/moved.ts"
import type { OperationKind, Usage } from "../model/record/record.ts"
import type { SandboxState } from "../model/sandbox-state.ts"
import type { DoneElsewhere } from "../model/text/done-elsewhere.ts"
import type { AttemptState } from "./explore.ts"
import type { Status, Totals } from "./shapes.ts"

/** Increment it when the meaning of a field changes. */
export const EVENT_VERSION = 1

/** The name of a person's own command in `tool-start` and `tool-end`. */
export const OWN_COMMAND = "!"

/** Events of a sub-agent carry the session it runs in. */
export interface FromTask {
  task?: { session: SessionId; call: string; depth: number }
}

/** The attempt that asks. Its title names it. */
export interface FromAttempt {
  attempt?: { label: string; session: SessionId }
}

export type HostEvent = FromTask &
  (
    | { type: "turn-start"; entry: EntryId; text: string }
    | { type: "step-start"; step: number }
    /** `recorded`: the tree already has this text, because another agent's file was ahead of its program's output. */
    | { type: "text-delta"; text: string; recorded?: true }
    | { type: "text-end" }
    | { type: "reasoning-delta"; text: string; recorded?: true }
    | { type: "reasoning-end" }
    /** `diff`: what an edit would change, as a unified diff. */
    | { type: "tool-start"; call: string; name: string; title: string; input: Json; diff?: string }
    | { type: "tool-delta"; call: string; text: string }
    | {
        type: "tool-end"
        call: string
        name: string
        output: string
        error: boolean
        /** What it changed, among the files that snapshots cover. */
        files: MovedFile[]
      }
    | ({ type: "approval-start"; approval: string; call: string; name: string } & ApprovalQuestion & FromAttempt)
    /** `settled`: a rule or the mode has answered it meanwhile. `rules`: what was allowed for the session. */
    | ({
        type: "approval-end"
        approval: string
        answer: "once" | "session" | "no" | "settled" | "withdrawn"
        rules?: string[]
      } & FromAttempt)
    | { type: "step-end"; entry: EntryId; usage: Usage }
    /** Entries were appended to the tree, by this turn or by another process. */
    | { type: "appended"; entries: EntryId[] }
    | { type: "steer-queued"; text: string }
    | { type: "steer-given"; entry: EntryId }
    /** The newest waiting message was taken back. */
    | { type: "steer-withdrawn"; text: string }
    | { type: "todos"; todos: Todo[] }
    | { type: "retry"; attempt: number; waitMs: number; problem: string }
    | { type: "compaction-start"; cause: "person" | "threshold" | "overflow" }
    /** Without an entry, there was no compaction. The caller who asked for it gets an answer too. */
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
        /** The text of the prompt that it returned to. */
        returnedTo: string | null
        entry: EntryId
      }
    | { type: "moved"; kind: OperationKind; by: "person" | "agent" | "api"; from: EntryId | null; to: EntryId | null }
    /**
     * Another process appended. `followed`: our head is now where it left the log. `apart`: a turn runs here, so ours stays, and its
     * own differs. `did`: the last move or prompt among what it appended; `model/text/done-elsewhere.ts` has the words.
     */
    | { type: "changed"; lines: number; head: EntryId | null; apart: boolean; followed?: boolean; did?: DoneElsewhere }
    | { type: "notice"; level: "info" | "warning"; text: string; advice?: Advice }
    /** How commands are confined: sent as soon as it is known, and on every change. */
    | ({ type: "sandbox" } & SandboxState)
    | { type: "not-covered"; files: { path: string; because: string }[] }
    | { type: "labelled"; entry: EntryId; name: string }
    /** A setting of the session, such as its `title`, was changed. */
    | { type: "configured"; key: string }
    /**
     * Calls that another agent's program did not make because nobody could approve them. `rule`: what to pass to `allow`, if a rule
     * can say exactly this.
     */
    | { type: "denied"; calls: { call: string; name: string; title: string; rule: string | undefined }[] }
    /** What an attempt does, and how it ended. */
    | { type: "attempt"; state: AttemptState }
    /** What `status()` returns from now on. */
    | { type: "status"; status: Status }
    /** The rows of the tree were rebuilt: row numbers known so far are invalid. */
    | { type: "rows-anew" }
    /** The host is closing, and stops whatever runs. */
    | { type: "host-closing" }
    | {
        type: "turn-end"
        outcome: "done" | "stopped" | "withdrawn" | "failed"
        /** Why it failed, and what to do. */
        message?: string
        advice?: Advice
        totals: Totals
        /** Messages that waited for the next step and never reached the model, oldest first. */
        returned?: string[]
      }
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

export interface Todo {
  text: string
  status: "pending" | "doing" | "done"
}

/** A question to the person. Contract: all of it is shown before they can agree; `protocol/question.ts` has the words. */
export interface ApprovalQuestion {
  title: string
  action: ApprovalAction
  /** The paths outside the workspace that the call really leads to. */
  outside: string[]
  /** What else to know before answering, one sentence each. */
  warnings: string[]
  /** What may be allowed beyond this call, narrowest first. */
  grants: Grant[]
}
