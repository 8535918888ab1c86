// What was copied, in words.
import { agentTitle } from "../../model/agent-title.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { KeepAnswer } from "../../protocol/library.ts"

const MOST_NAMED = 5

/** Not wrapped. */
export function* keepingLines({ files, sessions, left, databases, dryRun }: KeepAnswer): Generator<string> {
  for (const agent of new Set(files.map((file) => file.agent))) {
    const own = files.filter((file) => file.agent === agent)
    const size = own.reduce((sum, file) => sum + file.bytes, 0)
    const rewritten = own.filter(({ change }) => change === "rewritten").length
    const were = rewritten === 1 ? "was" : "were"
    const beside = rewritten === 0 ? "" : ` ${rewritten} of them ${were} rewritten; the earlier copies stay.`
    const verb = dryRun ? "Would copy" : "Copied"
    yield `${verb} ${count(own.length, "file")} of ${agentTitle(agent)}, ${bytes(size)}.${beside}`
  }
  if (sessions === 0 && left.length === 0) yield "There are no sessions of other agents."
  else if (files.length === 0 && left.length === 0)
    yield `Nothing new in ${count(sessions, "session")} of other agents.`
  for (const [agent, number] of Object.entries(databases)) {
    const one = number === 1
    yield `${count(number, "session")} of ${agentTitle(agent)} ${one ? "is" : "are"} in a file with others: ${one ? "it is" : "each is"} copied as an export.`
  }
  if (left.length === 0) return
  yield `${count(left.length, "place")} could not be read to the end, so something may be missing in the copies. Try again with: retcon keep`
  for (const file of left.slice(0, MOST_NAMED)) yield `  ${sanitiseLine(file)}`
}
