// retcon search TEXT: in the sessions of this directory, or of all, in every branch, including abandoned ones.
import { unreadablePlaces } from "../../app/library/unreadable.ts"
import { bestFound, MOST_COUNTED, MOST_OF_ONE, moreHits } from "../../app/search/best-found.ts"
import { type Found, findEach, warnSkipped } from "../../app/search/find-each.ts"
import type { Hit } from "../../app/search/find-in-session.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago } from "../../model/text/age.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { unreadableWords } from "../../model/text/unreadable-words.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import { wrap } from "../../model/text/wrap.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { hitLine } from "../render/hit-lines.ts"
import { progress } from "../render/progress.ts"
import { type Style, styleFor } from "../render/style.ts"
import { filteredSessions, type SessionFilter } from "../sessions/session-filter.ts"

export interface SearchFlags extends SessionFilter {
  text: string
  all?: boolean
  limit?: number
  json?: boolean
}

const DEFAULT_LIMIT = 50

export async function run(cli: Cli, options: SearchFlags): Promise<void> {
  const { text, json, agent, since, path } = options
  if (text.trim() === "") throw new UsageError("There is no text to search for.", "Use: retcon search TEXT")
  const limit = options.limit ?? DEFAULT_LIMIT
  const asked = { agent, since, path, all: options.all === true }
  const sessions = await filteredSessions(cli, asked)
  const shown = progress(cli, "Searching")
  const all = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const found = findEach(cli.store, sessions, {
    text,
    cases: "smart",
    most: Math.max(limit, MOST_COUNTED),
    once: true,
    tick: (bytes) => shown.tick(Math.min(1, bytes / Math.max(1, all))),
    skipped: warnSkipped(cli),
  })
  const { best, others } = await bestFound(found, { most: limit, now: cli.now() })
  shown.done()
  if (json !== true) for (const line of unreadableWords(unreadablePlaces(cli))) cli.err.write(`${line}\n`)
  if (json === true) await printJsonList(cli.out, jsonHits(best, limit))
  else printFound(cli, best, { ...options, limit, others })
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

/** `others`: how many more sessions have hits. */
type Shown = SearchFlags & { limit: number; others: number }

function printFound(cli: Cli, found: readonly Found[], { text, all, limit, others }: Shown): void {
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
  const several = found.length + others > 1
  const blocks: string[] = []
  for (const { session, hits, more } of found) {
    if (left === 0) break
    const shown = hits.slice(0, several ? Math.min(left, MOST_OF_ONE) : left)
    const lines = shown.map((hit) => hitLine(view, hit))
    const rest = several && hits.length > MOST_OF_ONE ? moreHits(hits.length - shown.length, more) : ""
    if (rest !== "") lines.push(style.quiet(`  and ${rest} in this session`))
    blocks.push([title(cli, session, style), ...lines, ...way(session, shown, style, width)].join("\n"))
    left -= shown.length
  }
  const total = found.reduce((sum, { hits }) => sum + (several ? Math.min(hits.length, MOST_OF_ONE) : hits.length), 0)
  const beyond = total > limit || others > 0 || (!several && found.some(({ more }) => more))
  const rest = `There are more. See them with a larger --limit (now ${count(limit, "hit")}).`
  if (beyond) blocks.push(wrap(rest, width).map(style.quiet).join("\n"))
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
