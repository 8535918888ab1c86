// search {query, limit?, after?}: in this folder's sessions of all agents, including abandoned branches.
import { libraryApart } from "../../app/library/library-apart.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { ago } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { foundWords } from "../../protocol/found-words.ts"
import type { FoundSession } from "../../protocol/library.ts"
import { agentNamed } from "../sessions/session-filter.ts"
import { type McpContext, type ServerTool, ToolProblem } from "./port.ts"

const SESSIONS = 5
const MOST_SESSIONS = 20
const OF_ONE = 2
/** With `session`. */
const OF_THE_ONE = 20
/** Milliseconds: an agent waits for every call. */
const WITHIN = 2000

interface Given {
  text: string
  agent?: string
  session?: string
  limit?: string
  after?: string
}

export const search: ServerTool<Given> = {
  name: "search",
  description:
    'Find words in earlier conversations of this folder, of every agent, abandoned branches included. All words must occur; "a phrase", -not, you:word, tool:word, file:path, since:7d.',
  properties: {
    text: { type: "string" },
    agent: { type: "string" },
    session: { type: "string" },
    limit: { type: "string" },
    after: { type: "string" },
    cursor: { type: "string" },
  },
  required: ["text"],
  effect: "reads",
  async run(at, { text, agent, session, limit, after }, signal) {
    const { cli } = at
    const words = session === undefined ? text : `${text} session:${session}`
    const query = {
      text: words,
      cwd: cli.cwd,
      within: WITHIN,
      limit: Math.min(MOST_SESSIONS, Math.max(1, Number.parseInt(limit ?? "", 10) || SESSIONS)),
      ofOne: session === undefined ? OF_ONE : OF_THE_ONE,
      ...(agent !== undefined && { agent: agentNamed(agent) }),
      ...(after !== undefined && { after }),
    }
    const answer = await libraryApart(cli)
      .find(query, { signal })
      .catch((error: unknown) => {
        if (signal.aborted) throw new ToolProblem("The search was cancelled.", "Search again.")
        throw error
      })
    const { sessions, next, skipped } = answer
    for (const { file, problem } of skipped) cli.warn(`${sanitiseLine(file)} could not be searched: ${problem}`)
    const [before, rest] = foundWords(answer)
    const more = next === null ? "" : ` More: after "${next}".`
    if (sessions.length === 0) return { text: `Nothing found in this folder.${rest === undefined ? "" : ` ${rest}`}` }
    const blocks = sessions.map((each) => block(at, each))
    const parts = [before, ...blocks, `${rest ?? ""}${more}`.trim()].filter((part) => part !== undefined && part !== "")
    return { text: parts.join("\n\n"), untrusted: true }
  },
}

function block({ cli }: McpContext, { session, agent, updated, title, hits }: FoundSession): string {
  const named = clip(sanitiseLine(title) || "(no title)", 80)
  const head = `session ${shortId(session)} · ${agentTitle(agent)} · ${ago(updated, cli.now())} · ${named}`
  const lines = hits.map(({ short, where, onPath, text, marks }) => {
    const branch = onPath ? "" : " (abandoned branch)"
    return `  ${short || "title"} ${sanitiseLine(where)}${branch}: ${sanitiseLine(marked(text, marks))}`
  })
  return [head, ...lines].join("\n")
}

function marked(text: string, marks: readonly (readonly [number, number])[]): string {
  let line = ""
  let at = 0
  for (const [from, to] of marks) {
    line += `${text.slice(at, from)}**${text.slice(from, to)}**`
    at = to
  }
  return line + text.slice(at)
}
