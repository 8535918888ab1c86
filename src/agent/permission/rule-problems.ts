// Rules that do not do what they seem to: their author believes that something is allowed, or forbidden, and it is not.
import { patternWords, withoutStar } from "./allow-command.ts"
import { runsAsItIs } from "./known-commands.ts"
import { parseRule } from "./rule.ts"

/** The tools that a rule may name, besides those of MCP servers. */
export const RULE_TOOLS = ["Read", "Write", "Edit", "Bash", "BashOutput", "Glob", "Grep", "Todo", "Task", "Backtrack"]
/** Tools whose calls name paths. */
export const WITH_PATHS = ["Read", "Write", "Edit", "Glob", "Grep"]

/** A sentence for each rule that can never apply, saying what to write instead. */
export function ruleProblems(rules: readonly string[]): string[] {
  return rules.flatMap((text) => {
    const problem = ruleProblem(text)
    return problem === undefined ? [] : [`The rule ${text} never applies: ${problem}.`]
  })
}

/** A sentence for each rule that allows nothing, or less than its first words suggest. */
export function allowProblems(rules: readonly string[]): string[] {
  return [...ruleProblems(rules), ...rules.flatMap(narrowerThanItLooks)]
}

/** Why a rule can never apply, without a full stop. */
export function ruleProblem(text: string): string | undefined {
  const rule = parseRule(text)
  if (rule === undefined) return notARule(text)
  const { tool, pattern } = rule
  if (tool.startsWith("mcp__")) {
    return pattern === undefined || pattern.startsWith("=") ? undefined : "rules for MCP tools have no pattern"
  }
  if (!RULE_TOOLS.includes(tool)) {
    const near = RULE_TOOLS.find((name) => name.toLowerCase() === tool.toLowerCase())
    return near === undefined
      ? `there is no tool ${tool}. Tools: ${RULE_TOOLS.join(", ")}`
      : `the tool is called ${near}`
  }
  if (pattern === undefined || tool === "Bash") return undefined
  if (!WITH_PATHS.includes(tool)) {
    return pattern.startsWith("=") ? undefined : `calls of ${tool} have no paths. Write ${tool} alone`
  }
  return pattern.endsWith("/") ? `it ends in a slash. For all files of that folder: ${tool}(${pattern}**)` : undefined
}

function notARule(text: string): string {
  if (/^\w+\([^)]*$/.test(text.trim())) return "its closing bracket is missing"
  if (text.trim().startsWith("Bash("))
    return "it may contain one command, with at most a * at its end: Bash(npm test *)"
  return "a rule is a tool, such as Write, or a tool and a pattern, such as Bash(npm test)"
}

/** `Bash(npm run)`: what follows would be run, so nothing may follow. */
function narrowerThanItLooks(text: string): string[] {
  const { tool, pattern = "=" } = parseRule(text) ?? { tool: "" }
  if (tool !== "Bash" || pattern.startsWith("=") || withoutStar(pattern) !== pattern) return []
  const words = patternWords(pattern) ?? []
  if (!runsAsItIs(words)) return []
  return [
    `The rule ${text} allows \`${pattern}\` alone: it would run whatever follows, so nothing may follow. ` +
      `Name the whole command, such as Bash(${pattern} build), or allow all of them with Bash(${pattern} *); ` +
      `if you mean only this, write Bash(=${pattern}).`,
  ]
}
