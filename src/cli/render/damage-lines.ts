// What a view lacks because lines of the log are damaged: the same words wherever the conversation is shown.
import type { Row } from "../../history/tree/tree.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"

const MOST_NAMED = 3

/** Reports it on standard error, so that standard output is unaffected. Prints nothing for a sound session. */
export function tellDamage(cli: Cli, session: Session, since?: Row): void {
  const damage = session.damage(since)
  if (damage.length === 0) return
  const named = damage.slice(0, MOST_NAMED).map(({ line, problem }) => `line ${line} (${sanitiseLine(problem)})`)
  const more = damage.length > MOST_NAMED ? ` and ${damage.length - MOST_NAMED} more` : ""
  const what = `retcon: ${count(damage.length, "line")} of the session cannot be read, so something may be missing here: `
  const text = `${what}${named.join(", ")}${more}.`
  const lines = [...wrap(text, cli.err.width), `  See what to do with: retcon doctor -s ${shortId(session.id)}`]
  cli.err.write(lines.map((line) => `${line}\n`).join(""))
}
