// Whether a call may be made: it is previewed, judged and, if necessary, put to the person.
import { relative } from "node:path"
import type { Approval } from "../../model/approval.ts"
import { codePoint, lookAlikes } from "../../model/text/look-alikes.ts"
import { isWithin } from "../../model/within.ts"
import type { PermissionRequest } from "../permission/consent.ts"
import { guardOf } from "../permission/guarded.ts"
import { isSecretOwn, ownHome, touchesOwn } from "../permission/own-home.ts"
import { allowing, type Decision, decide, type JudgedCall, type Policy, perhapsDenied } from "../permission/policy.ts"
import { roughCommands } from "../permission/rough-commands.ts"
import { simpleCommands } from "../permission/shell-words.ts"
import { runsOthersToo } from "../permission/wider-command.ts"
import { type Preview, realPath, realWorkRoot, shown, type WorkRoot } from "../port/tool.ts"
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
    const { folder, home, scratch, readable } = at
    const asked = {
      tool: tool.name,
      effect: effects.effect,
      action: preview.action,
      named: effects.paths,
      real,
      root: folder,
      home,
      readable: [scratch, ...readable],
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

/**
 * What a person should know about a call's paths before they answer: where a link leads, what is outside, what runs.
 * The title, with its path's real target.
 */
export function titleOf(title: string, asked: JudgedCall, root: WorkRoot): string {
  const links = asked.named.flatMap((path, i) =>
    isLink(asked, root, i) ? [{ name: shown(root, path), real: asked.real[i] }] : [],
  )
  return links.reduce(
    (text, { name, real }) => (text.endsWith(name) ? `${text} → ${real}` : `${text} (${name} → ${real})`),
    title,
  )
}

export function warningsOf(asked: JudgedCall, root: WorkRoot, policy: Policy): string[] {
  const warnings = asked.real.flatMap((real, i) => pathWarnings(asked, root, i, real))
  warnings.push(...lookAlikeWarnings(asked))
  if (asked.action.kind === "command" && touchesOwn(asked.action.command, asked.own)) {
    warnings.push("It names retcon's own folder, or runs retcon: that could change what is allowed.")
  }
  if (asked.action.kind === "command") {
    const { command } = asked.action
    const commands = simpleCommands(command)?.map(({ words }) => words) ?? roughCommands(command)
    warnings.push(...runsOthersToo(commands))
  }
  const rules = perhapsDenied(asked, policy).map(({ text }) => text)
  if (rules.length > 0) {
    warnings.push(`It may do what ${rules.join(" and ")} forbids: that depends on what the shell makes of its words.`)
  }
  return warnings
}

function pathWarnings(asked: JudgedCall, root: WorkRoot, i: number, real: string): string[] {
  const name = shown(root, asked.named[i] ?? real)
  const link = isLink(asked, root, i)
  const outside = !isWithin(asked.root, real)
  const found: string[] = []
  if (link) found.push(`${name} leads to ${real}${outside ? ", outside this folder" : ""}.`)
  else if (outside) found.push(`${real} is outside this folder.`)
  if (isSecretOwn(real, asked.own)) found.push(`${real} is retcon's own: settings, keys and sessions are there.`)
  const because = asked.effect === "reads" ? undefined : guardOf(real, asked.root)
  if (because !== undefined) found.push(`${name} is more than text: ${because}.`)
  return found
}

/** Whether the path is not what it seems: it, or one of its folders below the workspace, is a link. */
function isLink(asked: JudgedCall, root: WorkRoot, i: number): boolean {
  const [named, real] = [asked.named[i], asked.real[i]]
  if (named === undefined || real === undefined) return false
  if (isWithin(root.folder, named)) return relative(root.folder, named) !== relative(asked.root, real)
  return named !== real
}

/** A command or a path that is not the one it seems to be. */
function lookAlikeWarnings({ action, named }: JudgedCall): string[] {
  const found = lookAlikes([...(action.kind === "command" ? [action.command] : []), ...named].join(" "))
  if (found.length === 0) return []
  const each = found.map(({ char, as }) => `${char} (${codePoint(char)}) is not ${as}`)
  return [`It contains characters that look like others: ${each.join(", ")}.`]
}
