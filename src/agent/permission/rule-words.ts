// Rules in words, for lists of what is allowed and forbidden.
import { withoutStar } from "./allow-command.ts"
import { WRITERS } from "./policy.ts"
import type { Rule } from "./rule.ts"
import { meaningOf } from "./wider-command.ts"

/** Completes "allowed: …". */
export function allowWords({ tool, pattern }: Rule): string {
  if (tool === "Bash") return commandWords(pattern)
  const doing = DOING[tool] ?? `calls of ${tool}`
  if (pattern === undefined) return DOING[tool] === undefined ? `every call of ${tool}` : `${doing} in this folder`
  return pattern.startsWith("=") ? `${doing} with exactly this input` : `${doing}: ${pattern}`
}

const DOING: Readonly<Record<string, string>> = {
  Read: "reading files",
  Write: "changing files",
  Edit: "changing files",
  Glob: "looking for files",
  Grep: "searching files",
}

function commandWords(pattern: string | undefined): string {
  if (pattern === undefined) return "every command, whatever it does"
  if (pattern.startsWith("=")) return "exactly this command"
  const begin = withoutStar(pattern)
  const meaning = meaningOf(begin, false)
  const means = meaning === undefined ? "" : ` (${meaning})`
  return begin === pattern
    ? `${begin}${means}, with arguments that are not known to run programs or write files`
    : `every command that begins with ${begin}${means}`
}

/** A rule that forbids reaches further than the same rule that allows. */
export function denyWords({ tool, pattern }: Rule): string {
  if (tool === "Bash") {
    return pattern === undefined
      ? "refuses every command"
      : `refuses every \`${withoutStar(pattern.replace(/^=/, ""))} …\``
  }
  if (WRITERS.includes(tool))
    return pattern === undefined ? "refuses every change to files" : `refuses changes to ${pattern}`
  if (pattern === undefined) return `refuses every call of ${tool}`
  if (pattern.startsWith("=")) return `refuses ${tool} with exactly this input`
  return tool === "Read" ? `refuses to read, change or find ${pattern}` : `refuses ${tool} in ${pattern}`
}

/** A rule that asks reaches as far as one that forbids. */
export function askWords(rule: Rule): string {
  return denyWords(rule).replace(/^refuses(?: to)?/, "asks about")
}
