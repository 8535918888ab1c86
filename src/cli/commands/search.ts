// retcon search WORDS: in the sessions of this directory, or of all, in every branch, including abandoned ones.
import { makeLibrary } from "../../app/library/library.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, shellWord, widthOf, wrap } from "../../model/text/sanitise.ts"
import { unreadableWords } from "../../model/text/unreadable-words.ts"
import { foundWords } from "../../protocol/found-words.ts"
import type { FindAnswer, FindQuery, FoundHit, FoundSession } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { hitLines } from "../render/hit-lines.ts"
import { progress } from "../render/progress.ts"
import { type Style, styleFor } from "../render/style.ts"
import { type FilterFlags, filterOf } from "../sessions/session-filter.ts"

export interface SearchFlags extends FilterFlags {
  text: string[]
  limit?: number
  hits?: number
  after?: string
  json?: boolean
}

const DEFAULT_LIMIT = 10

export async function run(cli: Cli, options: SearchFlags): Promise<void> {
  const { text: words, json, limit = DEFAULT_LIMIT, hits, after, ...flags } = options
  const text = words.join(" ")
  if (text.trim() === "") throw new UsageError("There is nothing to search for.", "Use: retcon search WORDS")
  const query: FindQuery = {
    ...filterOf(cli, flags),
    text,
    limit,
    ...(hits !== undefined && { ofOne: hits }),
    ...(after !== undefined && { after }),
  }
  const shown = progress(cli, "Searching")
  const answer = await makeLibrary(cli).find(query, shown).finally(shown.done)
  for (const { file, problem } of answer.skipped) cli.warn(`${sanitiseLine(file)} could not be searched: ${problem}`)
  if (json === true) return printJson(cli, answer)
  for (const line of unreadableWords(answer.unreadable)) cli.err.write(`${line}\n`)
  printFound(cli, answer, { text, all: flags.all === true })
}

async function printJson(cli: Cli, answer: FindAnswer): Promise<void> {
  const { sessions, total, how, missing, next, complete } = answer
  const before = JSON.stringify({ version: 1, total, how, missing, next, complete }).slice(0, -1)
  await printJsonList(cli.out, sessions, `${before},"sessions":`, "}")
}

function printFound(cli: Cli, answer: FindAnswer, { text, all }: { text: string; all: boolean }): void {
  const style = styleFor(cli.out)
  const { width } = cli.out
  const { sessions, next } = answer
  if (sessions.length === 0) {
    const more = all ? "" : " Search all directories with: --all"
    const nothing = `Nothing found for "${clip(sanitiseLine(text), 80)}".${more}`
    cli.err.write(`${wrap(nothing, cli.err.width).join("\n")}\n`)
    return
  }
  const blocks = sessions.map((session) => {
    const lines = session.hits.flatMap((hit) => hitLines(hit, width, style))
    return [title(cli, session, style), ...lines, ...ways(session, style, width)].join("\n")
  })
  const [first, last] = foundWords(answer)
  if (first !== undefined) blocks.unshift(wrap(first, width).map(style.mark).join("\n"))
  const more = next === null ? "" : ` Next: --after ${next}`
  const words = `${last ?? ""}${more}`.trim()
  if (words !== "") blocks.push(wrap(words, width).map(style.quiet).join("\n"))
  cli.out.write(`${blocks.join("\n\n")}\n`)
}

function title(cli: Cli, found: FoundSession, style: Style): string {
  const { session, agent, updated, title: named, copies, taskOf, words, together } = found
  const whose = agent === "retcon" ? "" : ` of ${agentTitle(agent)}`
  const task = taskOf === undefined ? "" : `, sub-agent of ${shortId(taskOf)}`
  const several = Object.keys(words).length
  const facts = [
    `session ${shortId(session)}${whose}${task}`,
    ago(updated, cli.now()),
    ...(copies.length > 0 ? [`also in ${count(copies.length, "copy", "copies")}`] : []),
  ].join(" · ")
  const near = together && several > 1 ? ` · ${several} words in one message` : ""
  const name = sanitiseLine(named) || "(no title)"
  const room = cli.out.width - widthOf(facts) - 3
  const rest = widthOf(name) + widthOf(near) > room ? "" : near
  return `${style.strong(clip(name, Math.max(20, room)))}${style.quiet(` · ${facts}${rest}`)}`
}

/** How to get to the first of the hits, and how to go on in the session. */
function ways({ session, agent, hits, resume }: FoundSession, style: Style, width: number): string[] {
  const hit: FoundHit | undefined = hits.find(({ entry }) => entry !== null)
  const named = `-s ${shortId(session)}`
  const lines: string[] = []
  // Another agent's entries are shown here; only that agent can continue from them.
  if (hit !== undefined && agent === "retcon") lines.push(`Go there with: retcon goto ${hit.short} ${named}`)
  else if (hit !== undefined) lines.push(`See it with: retcon show --entry ${hit.short} ${named}`)
  if (resume !== undefined) lines.push(`Resume it with: ${resume.map(shellWord).join(" ")}`)
  return lines.flatMap((line) => wrap(`  ${line}`, width)).map(style.quiet)
}
