// A rule in words, for lists of what is allowed and forbidden.
import type { Rule } from "./rule.ts"

/** Completes "allowed: …". */
export function ruleWords({ tool, pattern }: Rule): string {
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
  const open = /(?::| )\*$/.test(pattern)
  const begin = pattern.replace(/(?::| )\*$/, "")
  return open ? `every command that begins with ${begin}` : `${begin}, with arguments that neither run nor write`
}
