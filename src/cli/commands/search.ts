// retcon search TEXT: in the sessions of this directory, or of all, in every branch, including those that were left.
import { shortId } from "../../model/id.ts"
import { ago } from "../../model/text/age.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import { wrap } from "../../model/text/wrap.ts"
import { bytePattern, textPattern } from "../../store/file/folder/grep.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { hitLine } from "../render/hit-lines.ts"
import { progress } from "../render/progress.ts"
import { type Style, styleFor } from "../render/style.ts"
import { findIn, type Hit, type Patterns } from "../search/find.ts"

export interface SearchFlags {
  text: string
  all?: boolean
  limit?: number
  json?: boolean
}

const DEFAULT_LIMIT = 50

export async function run(cli: Cli, options: SearchFlags): Promise<void> {
  const { text, all, json } = options
  if (text.trim() === "") throw new UsageError("There is no text to search for.", "Use: retcon search TEXT")
  const limit = options.limit ?? DEFAULT_LIMIT
  const sessions = await cli.store.list(all === true ? {} : { cwd: cli.cwd })
  const found = await findAll(cli, sessions, patternsFor(text), limit)
  if (json === true) await printJsonList(cli.out, jsonHits(found, limit))
  else printFound(cli, found, limit, options)
}

/** Case matters only for a text that has capitals. */
function patternsFor(text: string): Patterns {
  const cases = text === text.toLowerCase() ? "any" : "same"
  return { bytes: bytePattern(text, cases), text: textPattern(text, cases) }
}

interface Found {
  session: SessionSummary
  hits: Hit[]
}

/** Sessions in the order of the list, until there are more hits than can be shown. */
async function findAll(
  cli: Cli,
  sessions: readonly SessionSummary[],
  patterns: Patterns,
  limit: number,
): Promise<Found[]> {
  const all = sessions.reduce((sum, session) => sum + session.bytes, 0)
  const shown = progress(cli, "Searching")
  const found: Found[] = []
  const seen = new Set<string>()
  let before = 0
  let hits = 0
  for (const session of sessions) {
    if (session.file === undefined || hits > limit) continue
    const here = await findIn(cli, session.file, patterns, (bytes) => shown.tick((before + bytes) / all))
    before += session.bytes
    // A split starts with entries of another session: they are shown once, where they were used last.
    const fresh = here.filter(({ entry, onPath }) => entry === null || !onPath || !seen.has(entry))
    for (const { entry, onPath } of here) if (entry !== null && onPath) seen.add(entry)
    hits += fresh.length
    if (fresh.length > 0) found.push({ session, hits: fresh })
  }
  shown.done()
  return found
}

/** Contract (docs/cli.md). */
function* jsonHits(found: readonly Found[], limit: number): Generator<object> {
  let left = limit
  for (const { session, hits } of found) {
    for (const hit of hits.slice(0, left)) {
      const { entry, at, where, onPath, before, match, after } = hit
      yield {
        session: session.id,
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
    const more = all === true ? "" : " Look everywhere with: --all"
    const nothing = `Nothing found for "${clip(sanitiseLine(text), 80)}".${more}`
    cli.err.write(`${wrap(nothing, cli.err.width).join("\n")}\n`)
    return
  }
  let left = limit
  const blocks: string[] = []
  for (const { session, hits } of found) {
    if (left === 0) break
    const lines = hits.slice(0, left).map((hit) => hitLine(view, hit))
    blocks.push([title(cli, session, style), ...lines, ...way(session, hits, style, width)].join("\n"))
    left = Math.max(0, left - hits.length)
  }
  const total = found.reduce((sum, { hits }) => sum + hits.length, 0)
  const rest = `There is more. See it with a larger --limit (now ${count(limit, "hit")}).`
  if (total > limit) blocks.push(wrap(rest, width).map(style.quiet).join("\n"))
  cli.out.write(`${blocks.join("\n\n")}\n`)
}

function title(cli: Cli, session: SessionSummary, style: Style): string {
  const facts = ` · session ${shortId(session.id)} · ${ago(session.updated, cli.now())}`
  const name = sanitiseLine(session.title) || "(no title)"
  return `${style.strong(clip(name, cli.out.width - widthOf(facts)))}${style.quiet(facts)}`
}

/** How to get to the last of them: the way to the others differs by the id. */
function way(session: SessionSummary, hits: readonly Hit[], style: Style, width: number): string[] {
  const hit =
    hits.findLast(({ entry, onPath }) => entry !== null && !onPath) ?? hits.findLast((each) => each.entry !== null)
  if (hit === undefined) return []
  return wrap(`  Go there with: retcon goto ${hit.short} -s ${shortId(session.id)}`, width).map(style.quiet)
}
