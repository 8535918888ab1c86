// The rules of --allow.
import { parseRule } from "../agent/permission/rule.ts"
import { ruleProblems } from "../agent/permission/rule-problems.ts"
import { sanitiseLine } from "../model/text/sanitise.ts"
import { UsageError } from "./errors.ts"

/** `--allow` takes all words that follow it: a prompt among them is no rule. */
export const ALLOW_PLACE = "The prompt stands before --allow, or after -- if it comes later."

/** A rule that is not understood, or can never apply, would allow nothing, in silence. */
export function checkAllowed(rules: readonly string[] = []): void {
  for (const text of rules) {
    const [problem] = ruleProblems([text])
    if (problem === undefined) continue
    if (parseRule(text) !== undefined) throw new UsageError(sanitiseLine(problem), ALLOW_PLACE)
    const hint = `A rule is a tool, such as Write, or a tool and a pattern, such as 'Bash(npm test)'. ${ALLOW_PLACE}`
    throw new UsageError(`"${sanitiseLine(text)}" is not a rule for --allow.`, hint)
  }
}
