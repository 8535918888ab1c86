// search {text, agent?, session?}: in this folder's sessions of all agents, including abandoned branches.
import { matchSession } from "../../app/library/named-session.ts"
import { warnSkipped } from "../../app/library/wanted-sessions.ts"
import { bestFound, moreHits } from "../../app/search/best-found.ts"
import type { Found } from "../../app/search/find-each.ts"
import { searchApart } from "../../app/search/search-apart.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { hitLine } from "../render/hit-lines.ts"
import { styleFor } from "../render/style.ts"
import { filteredSessions } from "../sessions/session-filter.ts"
import { type McpContext, type ServerTool, ToolProblem } from "./port.ts"

const WIDTH = 180
const MOST_SESSIONS = 20
const MOST_OF_ONE = 10
/** Of which the abandoned ones are shown first. */
const MOST_READ_OF_ONE = 1000

export const search: ServerTool<{ text: string; agent?: string; session?: string }> = {
  name: "search",
  description: "Find text in earlier conversations of this folder, of every agent, abandoned branches included.",
  properties: {
    text: { type: "string" },
    agent: { type: "string" },
    session: { type: "string" },
    cursor: { type: "string" },
  },
  required: ["text"],
  effect: "reads",
  async run(at, { text, agent, session }, signal) {
    const { cli } = at
    const all = await filteredSessions(cli, { agent })
    const wanted = session === undefined ? undefined : matchSession(all, session)
    const sessions = wanted === undefined ? all : all.filter(({ id }) => id === wanted)
    const options = { text, cases: "smart", most: MOST_READ_OF_ONE, once: true, skipped: warnSkipped(cli) } as const
    const found = searchApart(cli, sessions, options, signal)
    const { best, others } = await bestFound(found, { most: MOST_SESSIONS * MOST_OF_ONE, now: cli.now() })
    if (signal.aborted) throw new ToolProblem("The search was cancelled.", "Search again.")
    if (best.length === 0) return { text: `Nothing found in ${count(sessions.length, "session")} of this folder.` }
    const blocks = best.map((each) => block(at, each, wanted === undefined ? MOST_OF_ONE : MOST_READ_OF_ONE))
    const rest = others > 0 ? [`And in ${count(others, "more session", "more sessions")}: add a word to the text.`] : []
    return { text: [...blocks, ...rest].join("\n\n"), untrusted: true }
  },
}

function block({ cli }: McpContext, { session, hits, more }: Found, most: number): string {
  const view = { now: cli.now(), width: WIDTH, style: styleFor({ colours: false }) }
  const whose = agentTitle(session.agent ?? "retcon")
  const title = clip(sanitiseLine(session.title) || "(no title)", 80)
  // Abandoned branches first: nothing else leads there.
  const shown = [...hits].sort((a, b) => Number(a.onPath) - Number(b.onPath)).slice(0, most)
  const rest = hits.length - shown.length
  return [
    `session ${shortId(session.id)} · ${whose} · ${ago(session.updated, cli.now())} · ${title}`,
    ...shown.map((hit) => hitLine(view, hit)),
    ...(rest > 0 ? [`  and ${moreHits(rest, more)}: search with session "${shortId(session.id)}"`] : []),
  ].join("\n")
}
