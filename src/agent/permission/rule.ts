// One rule of an allow list or deny list: `Tool` or `Tool(pattern)`, where the pattern is a command for Bash, a glob of
// paths for files, or `=INPUT` for calls known only by their input.
import { isAbsolute, join, normalize } from "node:path"
import { globToRegExp } from "../files/glob.ts"
import { patternWords } from "./allow-command.ts"

export interface Rule {
  tool: string
  pattern: string | undefined
  /** As it was written. */
  text: string
}

const RULE = /^([A-Za-z][A-Za-z0-9_-]*)(?:\((.+)\))?$/s

/** Undefined: not a rule. A rule that we do not understand must neither allow anything nor seem to deny it. */
export function parseRule(text: string): Rule | undefined {
  const found = RULE.exec(text.trim())
  if (found === null) return undefined
  const rule: Rule = { tool: found[1] as string, pattern: found[2], text }
  const isCommand = rule.tool === "Bash" && rule.pattern !== undefined && !rule.pattern.startsWith("=")
  return isCommand && patternWords(rule.pattern as string) === undefined ? undefined : rule
}

/** `mcp__server` means all tools of that server. */
export function namesTool(rule: Rule, tool: string): boolean {
  return rule.tool === tool || (rule.tool.startsWith("mcp__") && tool.startsWith(`${rule.tool}__`))
}

/** Where patterns start: at the workspace, or with `~/` at the person's home. */
export interface From {
  root: string
  home: string | undefined
}

export function matchesPath(rule: Rule, path: string, from: From): boolean {
  return rule.pattern === undefined || compile(rule, rule.pattern, from).itself.test(path)
}

/** For rules that forbid: one that names a folder covers everything in it. */
export function matchesWithin(rule: Rule, path: string, from: From): boolean {
  return rule.pattern === undefined || compile(rule, rule.pattern, from).within.test(path)
}

function compile(rule: Rule, written: string, from: From): Compiled {
  const pattern = wholePattern(written, from)
  const known = compiled.get(rule)
  if (known?.pattern === pattern) return known
  const itself = globToRegExp(pattern)
  const within = new RegExp(itself.source.replace(/\$$/, "(?:\\/.*)?$"), itself.flags)
  const made = { pattern, itself, within }
  compiled.set(rule, made)
  return made
}

function wholePattern(pattern: string, { root, home }: From): string {
  if (home !== undefined && /^~(?:\/|$)/.test(pattern)) return join(home, pattern.slice(1))
  return isAbsolute(pattern) ? normalize(pattern) : join(root, pattern)
}

/** A search checks every file: each rule is compiled once. */
const compiled = new WeakMap<Rule, Compiled>()

interface Compiled {
  pattern: string
  itself: RegExp
  within: RegExp
}
