// What happens during a step, as it happens. Names are noun-verb.
import type { Approval, ApprovalAction } from "../../model/approval.ts"
import type { Json } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import type { ModelEvent } from "../../provider/port/port.ts"
import type { PermissionRequest } from "../permission/consent.ts"

export type ModelProgress = Exclude<ModelEvent, { type: "finish" } | { type: "failed" }>

export type StepEvent =
  | ModelProgress
  /** Not sent for a call that is refused before anything is known about it; `tool-end` is sent for every call. */
  | { type: "tool-start"; call: string; name: string; input: Json; title: string; action: ApprovalAction }
  | { type: "tool-delta"; call: string; text: string }
  | { type: "tool-end"; call: string; name: string; output: string; error: boolean; media?: Part[] }
  | { type: "permission-start"; request: PermissionRequest }
  | { type: "permission-end"; call: string; answer: Approval }

export type Emit = (event: StepEvent) => void
