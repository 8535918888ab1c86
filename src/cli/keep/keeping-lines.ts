// What was copied, in words.
import type { Keeping } from "../../foreign/keep.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"

const MOST_NAMED = 5

/** Not wrapped. */
export function* keepingLines({ files, sessions, left, databases }: Keeping, dryRun: boolean): Generator<string> {
  for (const agent of new Set(files.map((file) => file.agent))) {
    const own = files.filter((file) => file.agent === agent)
    const size = own.reduce((sum, file) => sum + file.bytes, 0)
    const rewritten = own.filter(({ change }) => change === "rewritten").length
    const were = rewritten === 1 ? "was" : "were"
    const beside = rewritten === 0 ? "" : ` ${rewritten} of them ${were} rewritten: what was copied before stays, too.`
    const verb = dryRun ? "Would copy" : "Copied"
    yield `${verb} ${count(own.length, "file")} of ${agentTitle(agent)}, ${bytes(size)}.${beside}`
  }
  const inFiles = sessions - [...databases.values()].reduce((sum, each) => sum + each, 0)
  if (sessions === 0) yield "There are no sessions of other agents."
  else if (files.length === 0 && left.length === 0 && inFiles > 0)
    yield `Nothing is new in ${count(inFiles, "session")} of other agents.`
  for (const [agent, number] of databases) {
    const are = number === 1 ? "is" : "are"
    yield `${count(number, "session")} of ${agentTitle(agent)} ${are} in a database, which is not copied.`
  }
  if (left.length === 0) return
  yield `${count(left.length, "file")} could not be read to the end. Try again with: retcon keep`
  for (const file of left.slice(0, MOST_NAMED)) yield `  ${sanitiseLine(file)}`
}
