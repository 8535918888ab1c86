// What is allowed without asking, what is never allowed, and what a person is asked. Pure; policies are immutable.
import type { ApprovalAction } from "../../model/approval.ts"
import { canonicalJson } from "../../model/json.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { unreachable } from "../../model/unreachable.ts"
import { isWithin } from "../../model/within.ts"
import { type EffectKind } from "../port/tool.ts"
import { isCommandAllowed } from "./allow-command.ts"
import { type Denial, denialOf } from "./deny-command.ts"
import { guardOf } from "./guarded.ts"
import { isOwn, isSecretOwn, type OwnHome, touchesOwn } from "./own-home.ts"
import { type From, matchesPath, matchesWithin, namesTool, parseRule, type Rule } from "./rule.ts"

export interface Policy {
  readonly mode: PermissionMode
  readonly allow: readonly Rule[]
  /** Takes precedence over everything, in every mode. */
  readonly deny: readonly Rule[]
  /** The person is asked each time, in every mode and whatever is allowed. */
  readonly ask: readonly Rule[]
}

/** The call to judge. Paths are absolute; `real` has links resolved, in the same order. */
export interface JudgedCall extends From {
  tool: string
  effect: EffectKind
  action: ApprovalAction
  named: readonly string[]
  real: readonly string[]
  /** Folders outside the workspace that may be read without asking. Resolved. */
  readable: readonly string[]
  own: OwnHome | undefined
}

export type Decision =
  | { decision: "allow" }
  /** A sentence for the model. */
  | { decision: "deny"; because: string }
  /** `outside`: paths that are not in the workspace. */
  | { decision: "ask"; outside: string[] }

/** Contract: a text that is not a rule is a problem, and never a rule. */
export function makePolicy(given: {
  mode: PermissionMode
  allow?: readonly string[]
  deny?: readonly string[]
  ask?: readonly string[]
}): { policy: Policy; problems: string[] } {
  const problems: string[] = []
  const rules = (texts: readonly string[] = []) =>
    texts.flatMap((text) => {
      const rule = parseRule(text)
      if (rule === undefined) problems.push(`Not a rule: ${text}. A rule is Tool or Tool(pattern).`)
      return rule ?? []
    })
  const policy = Object.freeze({
    mode: given.mode,
    allow: Object.freeze(rules(given.allow)),
    deny: Object.freeze(rules(given.deny)),
    ask: Object.freeze(rules(given.ask)),
  })
  return { policy, problems }
}

/** The same policy, with more allowed. */
export function allowing(policy: Policy, rules: readonly string[]): Policy {
  return { ...policy, allow: [...policy.allow, ...rules.flatMap((text) => parseRule(text) ?? [])] }
}

export function decide(asked: JudgedCall, policy: Policy): Decision {
  const denied = policy.deny.find((rule) => denialBy(asked, rule) === "yes")
  if (denied !== undefined) return { decision: "deny", because: `the rule ${denied.text} forbids it` }
  if (asked.effect !== "reads" && asked.real.some((path) => isOwn(path, asked.own))) {
    return { decision: "deny", because: "you may not write to retcon's own folder" }
  }
  if (
    asked.effect !== "reads" &&
    asked.own?.copy !== undefined &&
    asked.real.some((path) => !isWithin(asked.root, path))
  ) {
    return { decision: "deny", because: "you work in a copy of the folder, and nothing outside it may be changed" }
  }
  if (policy.mode === "plan" && asked.effect !== "reads") return { decision: "deny", because: PLANNING }
  const allow = policy.allow.filter((rule) => namesTool(rule, asked.tool))
  const outside = asked.real.filter((path) => !isInside(asked, path))
  const named = (path: string) => allow.some((rule) => rule.pattern !== undefined && matchesPath(rule, path, asked))
  if (!outside.every(named)) return { decision: "ask", outside }
  if (policy.ask.some((rule) => denialBy(asked, rule) !== "no")) return { decision: "ask", outside: [] }
  const free = needsItsOwnRule(asked, policy)
    ? isExactly(asked, allow)
    : isFree(asked, policy.mode) || isListed(asked, allow, named)
  return free ? { decision: "allow" } : { decision: "ask", outside: [] }
}

const PLANNING = "in plan mode nothing is changed or run; look, and say what you would do"

/** Whether a deny rule forbids reading this path, or it is our own, so that searches leave it out too. */
export function isHidden(path: string, from: From & { own?: OwnHome | undefined }, policy: Policy): boolean {
  if (isSecretOwn(path, from.own)) return true
  return policy.deny.some(
    (rule) => rule.tool === "Read" && rule.pattern !== undefined && matchesWithin(rule, path, from),
  )
}

function isInside(asked: JudgedCall, path: string): boolean {
  if (isSecretOwn(path, asked.own)) return false
  return (
    isWithin(asked.root, path) || (asked.effect === "reads" && asked.readable.some((folder) => isWithin(folder, path)))
  )
}

export const WRITERS = ["Write", "Edit"]

/** The rules that perhaps forbid the call: only the shell knows. */
export function perhapsDenied(asked: JudgedCall, policy: Policy): Rule[] {
  return policy.deny.filter((rule) => denialBy(asked, rule) === "perhaps")
}

/** A rule against writing a file forbids editing it; so does one against reading it, because a diff would show it. */
function denialBy(asked: JudgedCall, rule: Rule): Denial {
  const writes = asked.effect === "writes" && asked.action.kind === "write"
  const reads = rule.tool === "Read" && writes && rule.pattern !== undefined
  if (!namesTool(rule, asked.tool) && !(writes && WRITERS.includes(rule.tool)) && !reads) return "no"
  if (rule.pattern === undefined) return "yes"
  if (asked.action.kind === "command") return denialOf(asked.action.command, rule.pattern)
  const denied =
    isExactInput(asked, rule) || [...asked.named, ...asked.real].some((path) => matchesWithin(rule, path, asked))
  return denied ? "yes" : "no"
}

function isFree(asked: JudgedCall, mode: PermissionMode): boolean {
  if (asked.effect === "reads") return true
  switch (mode) {
    case "plan":
    case "default":
      return false
    case "autoEdit":
      return asked.effect === "writes" && asked.action.kind !== "restore" && !isGuarded(asked)
    case "yolo":
      return true
    default:
      return unreachable(mode)
  }
}

function isListed(asked: JudgedCall, allow: readonly Rule[], named: (path: string) => boolean): boolean {
  const any = allow.some((rule) => rule.pattern === undefined)
  if (asked.action.kind === "command") {
    const { command, cwd } = asked.action
    return any || isCommandAllowed(command, patternsOf(allow), cwd)
  }
  if (asked.real.length > 0 && asked.real.every(named)) return true
  return (any && !isGuarded(asked)) || allow.some((rule) => isExactInput(asked, rule))
}

function patternsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ pattern }) => pattern ?? [])
}

/** Agreeing to all commands, or to all that begin the same, is not agreeing to these. */
function needsItsOwnRule(asked: JudgedCall, policy: Policy): boolean {
  const { action, own } = asked
  if (action.kind !== "command") return false
  return action.outsideSandbox === true || touchesOwn(action.command, own) || perhapsDenied(asked, policy).length > 0
}

function isExactly({ action }: JudgedCall, allow: readonly Rule[]): boolean {
  const exact = patternsOf(allow).filter((pattern) => pattern.startsWith("="))
  return action.kind === "command" && isCommandAllowed(action.command, exact)
}

function isExactInput({ action }: JudgedCall, { pattern }: Rule): boolean {
  return action.kind === "other" && pattern === `=${canonicalJson(action.input)}`
}

function isGuarded({ real, root }: JudgedCall): boolean {
  return real.some((path) => guardOf(path, root) !== undefined)
}
