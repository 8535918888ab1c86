// retcon search TEXT: in the sessions of this directory, or of all, in every branch, including abandoned ones.
import { makeLibrary } from "../../app/library/library.ts"
import { MOST_OF_ONE, moreHits } from "../../app/search/best-found.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, widthOf, wrap } from "../../model/text/sanitise.ts"
import { unreadableWords } from "../../model/text/unreadable-words.ts"
import type { FindAnswer, FoundHit, FoundSession } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { hitLine } from "../render/hit-lines.ts"
import { progress } from "../render/progress.ts"
import { type Style, styleFor } from "../render/style.ts"
import { type FilterFlags, filterOf } from "../sessions/session-filter.ts"

export interface SearchFlags extends FilterFlags {
  text: string
  limit?: number
  json?: boolean
}

const DEFAULT_LIMIT = 50

export async function run(cli: Cli, options: SearchFlags): Promise<void> {
  const { text, json, limit = DEFAULT_LIMIT } = options
  if (text.trim() === "") throw new UsageError("There is no text to search for.", "Use: retcon search TEXT")
  const query = { ...filterOf(cli, options), text, limit, ...(json !== true && { ofOne: MOST_OF_ONE }) }
  const shown = progress(cli, "Searching")
  const answer = await makeLibrary(cli).find(query, shown).finally(shown.done)
  for (const { file, problem } of answer.skipped) cli.warn(`${sanitiseLine(file)} could not be searched: ${problem}`)
  if (json === true) return printJsonList(cli.out, answer.hits)
  for (const line of unreadableWords(answer.unreadable)) cli.err.write(`${line}\n`)
  printFound(cli, answer, { ...options, limit })
}

function printFound(cli: Cli, { hits, sessions, others }: FindAnswer, options: SearchFlags & { limit: number }): void {
  const { text, all, limit } = options
  const style = styleFor(cli.out)
  const { width } = cli.out
  const view = { now: cli.now(), width, style }
  if (hits.length === 0) {
    const more = all === true ? "" : " Search all directories with: --all"
    const nothing = `Nothing found for "${clip(sanitiseLine(text), 80)}".${more}`
    cli.err.write(`${wrap(nothing, cli.err.width).join("\n")}\n`)
    return
  }
  const several = sessions.length + others > 1
  const blocks: string[] = []
  let at = 0
  for (const session of sessions) {
    const shown = hits.slice(at, (at += session.shown))
    if (shown.length === 0) break
    const lines = shown.map((hit) => hitLine(view, hit))
    const rest = several && session.hits > MOST_OF_ONE ? moreHits(session.hits - shown.length, session.more) : ""
    if (rest !== "") lines.push(style.quiet(`  and ${rest} in this session`))
    blocks.push([title(cli, session, style), ...lines, ...way(session, shown, style, width)].join("\n"))
  }
  const total = sessions.reduce((sum, each) => sum + (several ? Math.min(each.hits, MOST_OF_ONE) : each.hits), 0)
  const beyond = total > limit || others > 0 || (!several && sessions.some(({ more }) => more))
  const rest = `There are more. See them with a larger --limit (now ${count(limit, "hit")}).`
  if (beyond) blocks.push(wrap(rest, width).map(style.quiet).join("\n"))
  cli.out.write(`${blocks.join("\n\n")}\n`)
}

function title(cli: Cli, { session, agent, updated, title: named }: FoundSession, style: Style): string {
  const whose = agent === "retcon" ? "" : ` of ${agentTitle(agent)}`
  const facts = ` · session ${shortId(session)}${whose} · ${ago(updated, cli.now())}`
  const name = sanitiseLine(named) || "(no title)"
  return `${style.strong(clip(name, cli.out.width - widthOf(facts)))}${style.quiet(facts)}`
}

/** How to get to the last of the listed hits: for the others only the id differs. */
function way({ session, agent }: FoundSession, hits: readonly FoundHit[], style: Style, width: number): string[] {
  const hit =
    hits.findLast(({ entry, onPath }) => entry !== null && !onPath) ?? hits.findLast((each) => each.entry !== null)
  if (hit === undefined) return []
  const named = `-s ${shortId(session)}`
  // Another agent's entries are shown here; only that agent can continue from them.
  const [go, command] = agent === "retcon" ? ["Go there with", "goto"] : ["See it with", "show --entry"]
  return wrap(`  ${go}: retcon ${command} ${hit.short} ${named}`, width).map(style.quiet)
}
