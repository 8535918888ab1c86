// Whether a call may be made: looked at, judged, and, if it must be, asked.

import { untilAborted } from "../model-call.ts"
import { realPath, realPlace } from "../place.ts"
import type { ReadyCall } from "../run-call.ts"
import type { Desk } from "../step.ts"
import type { Preview } from "../tool.ts"
import type { Answer, PermissionRequest } from "./consent.ts"
import { decide } from "./policy.ts"

export type Permission = { ok: true; basis: string | undefined } | { ok: false; problem: string }

/** Contract: no content of a file outside the workspace reaches the model before somebody has agreed. */
export async function permit(ready: ReadyCall, desk: Desk): Promise<Permission> {
  const looked = await look(ready, desk)
  if ("failed" in looked) return { ok: false, problem: looked.failed }
  const { preview, real, root, readable } = looked
  const { call, tool, effects } = ready
  const { action, title } = preview
  desk.emit({ type: "tool-start", call: call.call, name: call.name, input: call.input, title, action })
  const asked = { tool: tool.name, effect: effects.effect, action, named: effects.paths, real, root, readable }
  const yes: Permission = { ok: true, basis: preview.basis }
  const judge = () => decide(asked, desk.consent.policy())
  const first = judge()
  if (first.decision === "deny") return { ok: false, problem: forbidden(first.rule) }
  const outside = first.decision === "ask" ? first.outside : []
  if (preview.problem !== undefined && outside.length === 0) return { ok: false, problem: preview.problem }
  if (first.decision === "allow") return yes
  return desk.oneByOne(async () => {
    // While we waited for our turn to ask, the person may have answered this, or narrowed what is allowed.
    const now = judge()
    if (now.decision === "deny") return { ok: false, problem: forbidden(now.rule) }
    if (now.decision === "allow") return yes
    const session = tool.grants(ready.input, real)
    const answer = await ask(desk, { call: call.call, tool: tool.name, title, action, outside, session })
    if (answer.answer === "no") return { ok: false, problem: refused(answer.reason) }
    if (answer.answer === "session") await desk.consent.granted(session)
    return yes
  })
}

type Looked = { preview: Preview; real: string[]; root: string; readable: string[] } | { failed: string }

async function look({ tool, input, effects }: ReadyCall, desk: Desk): Promise<Looked> {
  try {
    const [preview, { root, scratch }, ...real] = await Promise.all([
      tool.preview(input, desk.place),
      realPlace(desk.place),
      ...effects.paths.map((path) => realPath(path)),
    ])
    return { preview, real, root, readable: [scratch] }
  } catch (error) {
    return { failed: `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}` }
  }
}

async function ask(desk: Desk, request: PermissionRequest): Promise<Answer> {
  if (desk.signal.aborted) return { answer: "no" }
  desk.emit({ type: "permission-start", request })
  const abort = untilAborted(desk.signal)
  const answer = await Promise.race([desk.consent.ask(request, desk.signal), abort.promise])
  abort.forget()
  const given: Answer = answer === "aborted" ? { answer: "no" } : answer
  desk.emit({ type: "permission-end", call: request.call, answer: given })
  return given
}

function forbidden(rule: string): string {
  return `Not allowed: the rule ${rule} forbids it. Do not try to reach the same in another way.`
}

function refused(reason: string | undefined): string {
  const why = reason === undefined || reason.trim() === "" ? "" : ` They say: ${reason.trim()}`
  return `The person refused this call; it was not made.${why}`
}
