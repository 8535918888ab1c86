// Rules that say nothing: a person who wrote one believes that something is allowed, or forbidden, and it is not.
import { parseRule } from "./rule.ts"

/** The tools that a rule may name, besides those of MCP servers. */
export const RULE_TOOLS = ["Read", "Write", "Edit", "Bash", "BashOutput", "Glob", "Grep", "Todo", "Task", "Backtrack"]
/** Their calls name paths. */
const WITH_PATHS = ["Read", "Write", "Edit", "Glob", "Grep"]

/** A sentence for each rule that can never apply, with what to write instead. */
export function ruleProblems(rules: readonly string[]): string[] {
  return rules.flatMap((text) => {
    const problem = problemOf(text)
    return problem === undefined ? [] : [`The rule ${text} never applies: ${problem}`]
  })
}

function problemOf(text: string): string | undefined {
  const rule = parseRule(text)
  if (rule === undefined) return notARule(text)
  const { tool, pattern } = rule
  if (tool.startsWith("mcp__")) {
    return pattern === undefined || pattern.startsWith("=") ? undefined : "rules for MCP tools have no pattern."
  }
  if (!RULE_TOOLS.includes(tool)) {
    const near = RULE_TOOLS.find((name) => name.toLowerCase() === tool.toLowerCase())
    return near === undefined
      ? `there is no tool ${tool}. Tools: ${RULE_TOOLS.join(", ")}.`
      : `the tool is called ${near}.`
  }
  if (pattern === undefined || tool === "Bash") return undefined
  if (!WITH_PATHS.includes(tool)) {
    return pattern.startsWith("=") ? undefined : `calls of ${tool} have no paths. Write ${tool} alone.`
  }
  return pattern.endsWith("/") ? `it ends in a slash. For all files of that folder: ${tool}(${pattern}**)` : undefined
}

function notARule(text: string): string {
  if (text.trim().startsWith("Bash("))
    return "one command may stand in it, with at most a * at its end: Bash(npm test *)."
  return "a rule is a tool, such as Write, or a tool and a pattern, such as Bash(npm test)."
}
