// Whether a call may be made: it is previewed, judged and, if necessary, put to the person.
import type { Approval } from "../../model/approval.ts"
import type { PermissionRequest } from "../permission/consent.ts"
import { ownHome } from "../permission/own-home.ts"
import { allowing, type Decision, decide, type JudgedCall } from "../permission/policy.ts"
import { titleOf, warningsOf } from "../permission/warnings.ts"
import type { Preview } from "../port/tool.ts"
import { realPath, realWorkRoot } from "../port/work-root.ts"
import type { ReadyCall } from "./call.ts"
import { MASK_REFUSED, writesMask } from "./mask.ts"
import { untilAborted } from "./model-call.ts"
import type { StepMachine, StepPerson } from "./step-context.ts"

export type Permission = { ok: true; basis: string | undefined } | { ok: false; problem: string }

type PermitContext = StepPerson & StepMachine & { signal: AbortSignal }

/** Contract: no content of a file outside the workspace reaches the model before someone has agreed. */
export async function permit(ready: ReadyCall, context: PermitContext): Promise<Permission> {
  const looked = await look(ready, context)
  if ("failed" in looked) return { ok: false, problem: looked.failed }
  const { preview, asked } = looked
  const { call } = ready
  const { action, title } = preview
  context.emit({ type: "tool-start", call: call.call, name: call.name, input: call.input, title, action })
  if (context.masks && action.kind === "write" && writesMask(action.diff)) return { ok: false, problem: MASK_REFUSED }
  const yes: Permission = { ok: true, basis: preview.basis }
  const judge = () => decide(asked, context.consent.policy())
  const first = judge()
  if (first.decision === "deny") return { ok: false, problem: forbidden(first.because) }
  const outside = first.decision === "ask" ? first.outside : []
  if (preview.problem !== undefined && outside.length === 0) return { ok: false, problem: preview.problem }
  if (first.decision === "allow") return yes
  return context.oneByOne(async () => {
    // While we waited for our turn to ask, the person may have answered this, or narrowed what is allowed.
    const now = judge()
    if (now.decision === "deny") return { ok: false, problem: forbidden(now.because) }
    if (now.decision === "allow") return yes
    const request = requestFor(ready, context, { preview, asked }, outside)
    const answer = await ask(context, request, judge)
    const meanwhile = judge()
    if (meanwhile.decision === "deny") return { ok: false, problem: forbidden(meanwhile.because) }
    if (answer.answer === "no") return { ok: false, problem: refused(answer) }
    const { grants } = request
    const grant =
      answer.answer === "session" ? grants.find(({ id }) => id === (answer.grant ?? grants[0]?.id)) : undefined
    if (grant !== undefined) await context.consent.granted(grant.rules)
    return yes
  })
}

/** Contract: offers only grants that would have allowed this call. */
function requestFor(
  ready: ReadyCall,
  context: PermitContext,
  { preview, asked }: Found,
  outside: string[],
): PermissionRequest {
  const { call, tool, input } = ready
  const policy = context.consent.policy()
  const grants = tool
    .grants(input, asked.real, context.root)
    .filter(({ rules }) => decide(asked, allowing(policy, rules)).decision === "allow")
  return {
    call: call.call,
    tool: tool.name,
    title: titleOf(preview.title, asked, context.root),
    action: preview.action,
    outside,
    warnings: warningsOf(asked, context.root, policy),
    grants,
  }
}

interface Found {
  preview: Preview
  asked: JudgedCall
}

async function look({ tool, input, effects }: ReadyCall, { root }: StepMachine): Promise<Found | { failed: string }> {
  try {
    const [preview, at, ...real] = await Promise.all([
      tool.preview(input, root),
      realWorkRoot(root),
      ...effects.paths.map((path) => realPath(path)),
    ])
    const { folder, home, scratch } = at
    const asked = {
      tool: tool.name,
      effect: effects.effect,
      action: preview.action,
      named: effects.paths,
      real,
      root: folder,
      home,
      readable: [scratch],
      own: ownHome(root, at),
    }
    return { preview, asked }
  } catch (error) {
    return { failed: `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}

async function ask(context: PermitContext, request: PermissionRequest, judge: () => Decision): Promise<Approval> {
  if (context.signal.aborted) return { answer: "no" }
  context.emit({ type: "permission-start", request })
  const abort = untilAborted(context.signal)
  const answer = await Promise.race([context.consent.ask(request, context.signal, judge), abort.promise])
  abort.forget()
  const given: Approval = answer === "aborted" ? { answer: "no" } : answer
  context.emit({ type: "permission-end", call: request.call, answer: given })
  return given
}

function forbidden(because: string): string {
  return `Not allowed: ${because}. Do not try to achieve the same in another way.`
}

function refused({ reason = "", by }: Extract<Approval, { answer: "no" }>): string {
  if (by === "nobody") return `This call was not made. ${reason}`.trim()
  const why = reason.trim() === "" ? "" : ` They say: ${reason.trim()}`
  return `The person refused this call; it was not made.${why}`
}
