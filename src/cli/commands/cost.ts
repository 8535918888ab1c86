// retcon cost: requests, tokens and money of a session with its sub-agents, and of all sessions of this directory.
import { makeLibrary } from "../../app/library/library.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { costWords, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { UncountedSessions } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { progress } from "../render/progress.ts"
import { NOTE_UNKNOWN_PRICE, spendingLines } from "../render/spending-lines.ts"
import { styleFor } from "../render/style.ts"
import { atChosen, type SessionChoice } from "../sessions/select.ts"

export interface CostFlags extends SessionChoice {
  json?: boolean
}

export async function run(cli: Cli, options: CostFlags): Promise<void> {
  const shown = progress(cli, "Adding up")
  const usage = await atChosen(cli, { ...options, named: true }, (session) =>
    makeLibrary(cli).cost({ session }, shown).finally(shown.done),
  )
  if (options.json === true) return printJson(cli.out, usage)
  const { directory } = usage
  const style = styleFor(cli.out)
  const title = sanitiseLine(usage.title)
  const tasks = usage.tasks > 0 ? `, with ${count(usage.tasks, "task")}` : ""
  const heading = `Session ${shortId(usage.session)}${title === "" ? "" : ` · ${title}`}${tasks}`
  const rows = usage.models.map((each) => ({ ...each, names: [each.model] }))
  const table =
    usage.requests === 0
      ? ["It has no recorded requests."]
      : spendingLines({ rows, sum: usage, digits: 4, width: cli.out.width })
  const lines = [style.strong(clip(heading, cli.out.width)), ...table]
  const { requests, cost, unpriced } = directory
  const money = cost === null ? "cost not known" : costWords(cost, unpriced)
  const whose = usage.agent === "retcon" ? "" : ` of ${agentTitle(usage.agent)}`
  const sessions = `${count(directory.sessions, "session")}${whose}`
  lines.push("", `This directory: ${sessions}, ${count(requests, "request")}, ${money}.`)
  if (directory.leftOut.length > 0) lines.push(...wrap(leftOutWords(directory.leftOut), cli.out.width))
  if (unpriced.length > 0) lines.push(style.quiet(NOTE_UNKNOWN_PRICE))
  if (cost !== null && whose !== "" && requests > 0)
    lines.push(style.quiet("At API prices; a subscription is priced differently."))
  cli.out.write(lines.map((line) => `${line}\n`).join(""))
}

function leftOutWords(leftOut: readonly UncountedSessions[]): string {
  const each = leftOut.map(({ agent, sessions, because }) => {
    const unreadable = because === "unreadable" ? " that cannot be read" : ""
    return `${count(sessions, "session")} of ${agentTitle(agent)}${unreadable}`
  })
  const others = leftOut.some(({ because }) => because === "other-agent")
  return `Not included: ${each.join(", ")}.${others ? " Another agent's: retcon cost -s SESSION" : ""}`
}
