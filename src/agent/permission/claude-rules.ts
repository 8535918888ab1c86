// Rules of Claude Code's settings.json as rules of ours. Only those that forbid or ask are translated, so one that means more here than
// there does no harm; what cannot be translated is said, never dropped. Pure.
import { join } from "node:path"
import { parseRule } from "./rule.ts"

/** `partly`: it means less here, in words; undefined if it means the same or more. */
export type Translated = { rule: string; partly?: string } | { problem: string }

const PATH_TOOLS: Readonly<Record<string, string>> = {
  Read: "Read",
  Edit: "Edit",
  MultiEdit: "Edit",
  Write: "Write",
  Glob: "Glob",
  Grep: "Grep",
}

/** `base`: the folder of the project, relative to the workspace and ready for a pattern; for `/path`, which starts there. */
export function fromClaude(text: string, base = ""): Translated {
  const [, tool = "", pattern] = /^([A-Za-z][\w-]*\*?)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (tool.startsWith("mcp__")) {
    const all = tool.replace(/(?:__)?\*$/, "")
    return pattern === undefined && /^mcp__[\w-]+$/.test(all) ? { rule: all } : { problem: "it is not a rule" }
  }
  if (tool === "Bash") return fromCommand(pattern)
  const own = PATH_TOOLS[tool]
  if (own === undefined) return { problem: tool === "" ? "it is not a rule" : `retcon has no tool ${tool}` }
  if (pattern === undefined || pattern === "" || pattern === "*") return { rule: own }
  if (pattern.startsWith("!")) return { problem: "exceptions are not understood" }
  return { rule: `${own}(${fromPath(pattern, base)})` }
}

function fromCommand(pattern: string | undefined): Translated {
  if (pattern === undefined || pattern === "" || pattern === "*") return { rule: "Bash" }
  if (parseRule(`Bash(${pattern})`) !== undefined) return { rule: `Bash(${pattern})` }
  // `git push*` also means `git pushall`, which has no rule here.
  const words = pattern.replace(/\*$/, "").trimEnd()
  if (words !== pattern && parseRule(`Bash(${words})`) !== undefined)
    return { rule: `Bash(${words})`, partly: `here it means \`${words} …\`` }
  return { problem: "a * is understood only at the end of a command, and a rule has one command" }
}

/** As in .gitignore, from the folder of the project: without a slash inside, at any depth. */
function fromPath(pattern: string, base: string): string {
  if (pattern.startsWith("//")) return pattern.slice(1)
  if (/^~(?:\/|$)/.test(pattern)) return pattern
  const bare = pattern.replace(/^\.?\//, "").replace(/\/$/, "")
  const anchored = /^\.?\//.test(pattern) || bare.includes("/")
  // `x/**` means all files in x; a rule that names the folder does, too.
  return join(base, anchored ? bare.replace(/\/\*\*$/, "") || "**" : `**/${bare}`)
}
