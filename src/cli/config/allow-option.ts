// The rules of --allow.
import { ruleProblem } from "../../app/config/configured-rules.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { UsageError } from "../port/errors.ts"

const ONE_EACH = "Each --allow takes one rule: --allow Write --allow 'Bash(npm test)'"

/** A rule that is not understood, or can never apply, would silently allow nothing. */
export function checkAllowed(rules: readonly string[] = []): void {
  for (const text of rules) {
    const found = ruleProblem(text)
    if (found === undefined) continue
    if (found.understood) throw new UsageError(sanitiseLine(found.problem), ONE_EACH)
    const hint = `A rule is a tool, such as Write, or a tool and a pattern, such as 'Bash(npm test)'. ${ONE_EACH}`
    throw new UsageError(`"${sanitiseLine(text)}" is not a rule for --allow.`, hint)
  }
}
