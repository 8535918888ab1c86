// retcon search TEXT: in the sessions of this directory, or of all, in every branch, including abandoned ones.
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago } from "../../model/text/age.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import { wrap } from "../../model/text/wrap.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { hitLine } from "../render/hit-lines.ts"
import { progress } from "../render/progress.ts"
import { type Style, styleFor } from "../render/style.ts"
import { type Found, findAll, patternsFor, ranked } from "../search/find-all.ts"
import type { Hit } from "../search/find-in-session.ts"
import { filteredSessions, type SessionFilter } from "../sessions/session-filter.ts"

export interface SearchFlags extends SessionFilter {
  text: string
  all?: boolean
  limit?: number
  json?: boolean
}

const DEFAULT_LIMIT = 50
/** The most hits shown of one session, if there are others. */
const MOST_OF_ONE = 5

export async function run(cli: Cli, options: SearchFlags): Promise<void> {
  const { text, json, agent, since, path } = options
  if (text.trim() === "") throw new UsageError("There is no text to search for.", "Use: retcon search TEXT")
  const limit = options.limit ?? DEFAULT_LIMIT
  const asked = { agent, since, path, all: options.all === true }
  const sessions = await filteredSessions(cli, asked)
  const shown = progress(cli, "Searching")
  const all = await findAll(cli, sessions, patternsFor(text), (share) => shown.tick(share))
  shown.done()
  const found = ranked(all, cli.now())
  if (json === true) await printJsonList(cli.out, jsonHits(found, limit))
  else printFound(cli, found, limit, options)
}

/** Contract (docs/cli.md). */
function* jsonHits(found: readonly Found[], limit: number): Generator<object> {
  let left = limit
  for (const { session, hits } of found) {
    for (const hit of hits.slice(0, left)) {
      const { entry, at, where, onPath, before, match, after } = hit
      yield {
        session: session.id,
        agent: session.agent ?? "retcon",
        file: session.file,
        title: session.title,
        entry,
        at,
        where,
        onPath,
        before,
        match,
        after,
      }
    }
    left = Math.max(0, left - hits.length)
  }
}

function printFound(cli: Cli, found: readonly Found[], limit: number, { text, all }: SearchFlags): void {
  const style = styleFor(cli.out)
  const { width } = cli.out
  const view = { now: cli.now(), width, style }
  if (found.length === 0) {
    const more = all === true ? "" : " Search all directories with: --all"
    const nothing = `Nothing found for "${clip(sanitiseLine(text), 80)}".${more}`
    cli.err.write(`${wrap(nothing, cli.err.width).join("\n")}\n`)
    return
  }
  let left = limit
  const blocks: string[] = []
  for (const { session, hits } of found) {
    if (left === 0) break
    const shown = hits.slice(0, found.length > 1 ? Math.min(left, MOST_OF_ONE) : left)
    const lines = shown.map((hit) => hitLine(view, hit))
    const more = found.length > 1 && hits.length > MOST_OF_ONE ? hits.length - shown.length : 0
    if (more > 0) lines.push(style.quiet(`  and ${count(more, "more hit", "more hits")} in this session`))
    blocks.push([title(cli, session, style), ...lines, ...way(session, shown, style, width)].join("\n"))
    left -= shown.length
  }
  const total = found.reduce(
    (sum, { hits }) => sum + (found.length > 1 ? Math.min(hits.length, MOST_OF_ONE) : hits.length),
    0,
  )
  const rest = `There are more. See them with a larger --limit (now ${count(limit, "hit")}).`
  if (total > limit) blocks.push(wrap(rest, width).map(style.quiet).join("\n"))
  cli.out.write(`${blocks.join("\n\n")}\n`)
}

function title(cli: Cli, session: SessionSummary, style: Style): string {
  const whose = session.agent === undefined ? "" : ` of ${agentTitle(session.agent)}`
  const facts = ` · session ${shortId(session.id)}${whose} · ${ago(session.updated, cli.now())}`
  const name = sanitiseLine(session.title) || "(no title)"
  return `${style.strong(clip(name, cli.out.width - widthOf(facts)))}${style.quiet(facts)}`
}

/** How to get to the last of the listed hits: for the others only the id differs. */
function way(session: SessionSummary, hits: readonly Hit[], style: Style, width: number): string[] {
  const hit =
    hits.findLast(({ entry, onPath }) => entry !== null && !onPath) ?? hits.findLast((each) => each.entry !== null)
  if (hit === undefined) return []
  const named = `-s ${shortId(session.id)}`
  // Another agent's entries are shown here; only that agent can continue from them.
  const command = session.agent === undefined ? `goto ${hit.short} ${named}` : `show --entry ${hit.short} ${named}`
  const go = session.agent === undefined ? "Go there with" : "See it with"
  return wrap(`  ${go}: retcon ${command}`, width).map(style.quiet)
}
