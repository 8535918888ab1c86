// What may happen without asking, what never, and what a person must be asked. Pure; a policy is never changed in place.
import { basename, dirname } from "node:path"
import { unreachable } from "../../model/unreachable.ts"
import { isWithin } from "../place.ts"
import type { Action, Effect } from "../tool.ts"
import { isCommandAllowed, isCommandDenied } from "./command-rule.ts"
import { matchesPath, namesTool, parseRule, type Rule } from "./rule.ts"

export const MODES = ["default", "autoEdit", "yolo"] as const
/** `default`: reads are free, writes and commands ask. `autoEdit`: writes are free too. `yolo`: all is, inside. */
export type Mode = (typeof MODES)[number]

export interface Policy {
  readonly mode: Mode
  readonly allow: readonly Rule[]
  /** Wins over everything, in every mode. */
  readonly deny: readonly Rule[]
}

/** What is judged. Paths are absolute; `real` has links resolved, in the same order. */
export interface Asked {
  tool: string
  effect: Effect
  action: Action
  named: readonly string[]
  real: readonly string[]
  /** Resolved. */
  root: string
  /** Folders outside the workspace that may be read freely. Resolved. */
  readable: readonly string[]
}

export type Decision =
  | { decision: "allow" }
  | { decision: "deny"; rule: string }
  /** `outside`: paths that are not in the workspace. */
  | { decision: "ask"; outside: string[] }

/** Contract: a text that is not a rule is a problem, and never a rule. */
export function makePolicy(parts: { mode: Mode; allow?: readonly string[]; deny?: readonly string[] }): {
  policy: Policy
  problems: string[]
} {
  const problems: string[] = []
  const rules = (texts: readonly string[] = []) =>
    texts.flatMap((text) => {
      const rule = parseRule(text)
      if (rule === undefined) problems.push(`Not a rule: ${text}. A rule is Tool or Tool(pattern).`)
      return rule ?? []
    })
  const policy = Object.freeze({
    mode: parts.mode,
    allow: Object.freeze(rules(parts.allow)),
    deny: Object.freeze(rules(parts.deny)),
  })
  return { policy, problems }
}

export function decide(asked: Asked, policy: Policy): Decision {
  const denied = policy.deny.find((rule) => isDenied(asked, rule))
  if (denied !== undefined) return { decision: "deny", rule: denied.text }
  const allow = policy.allow.filter((rule) => namesTool(rule, asked.tool))
  const outside = asked.real.filter((path) => !isInside(asked, path))
  const named = (path: string) =>
    allow.some((rule) => rule.pattern !== undefined && matchesPath(rule, path, asked.root))
  if (!outside.every(named)) return { decision: "ask", outside }
  const free = isFree(asked, policy.mode) || isListed(asked, allow, named)
  return free ? { decision: "allow" } : { decision: "ask", outside: [] }
}

/** A path that a deny rule forbids to read, so that searches leave it out as well. */
export function isHidden(path: string, root: string, policy: Policy): boolean {
  return policy.deny.some((rule) => rule.tool === "Read" && rule.pattern !== undefined && matchesPath(rule, path, root))
}

function isInside(asked: Asked, path: string): boolean {
  return (
    isWithin(asked.root, path) || (asked.effect === "reads" && asked.readable.some((folder) => isWithin(folder, path)))
  )
}

/** What may not be read may not be edited either: a diff would show it. */
function isDenied(asked: Asked, rule: Rule): boolean {
  const reads = rule.tool === "Read" && (asked.tool === "Edit" || asked.tool === "Write") && rule.pattern !== undefined
  if (!namesTool(rule, asked.tool) && !reads) return false
  if (rule.pattern === undefined) return true
  if (asked.action.kind === "command") return isCommandDenied(asked.action.command, rule.pattern)
  return [...asked.named, ...asked.real].some((path) => matchesPath(rule, path, asked.root))
}

function isFree(asked: Asked, mode: Mode): boolean {
  if (asked.effect === "reads") return true
  switch (mode) {
    case "default":
      return false
    case "autoEdit":
      return asked.effect === "writes" && asked.action.kind !== "restore" && !asked.real.some(isGuarded)
    case "yolo":
      return !isOutsideSandbox(asked)
    default:
      return unreachable(mode)
  }
}

function isListed(asked: Asked, allow: readonly Rule[], named: (path: string) => boolean): boolean {
  if (asked.action.kind === "command") {
    const patterns = allow.flatMap((rule) => rule.pattern ?? [])
    const all = allow.some((rule) => rule.pattern === undefined) && !isOutsideSandbox(asked)
    return all || isCommandAllowed(asked.action.command, patterns)
  }
  if (asked.real.length > 0 && asked.real.every(named)) return true
  return allow.some((rule) => rule.pattern === undefined) && !asked.real.some(isGuarded)
}

/** Nobody has agreed to that by agreeing to all commands: it is allowed by its own name, or asked for. */
function isOutsideSandbox({ action }: Asked): boolean {
  return action.kind === "command" && action.outsideSandbox === true
}

/** Files that make other programs, or us, run something: writing them is more than an edit. */
function isGuarded(path: string): boolean {
  if (basename(path) === ".retcon.json") return true
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(folder) === ".git") return true
  }
  return false
}
