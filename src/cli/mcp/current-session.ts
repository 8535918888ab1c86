// Finds the session of the agent that started the server, because the agent does not name it.

import { isTask } from "../../app/library/session-kinds.ts"
import { withFilesOf } from "../../app/open/with-files.ts"
import { agentTitle } from "../../model/agent-title.ts"
import type { Session } from "../../session/session.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { filteredSessions } from "../sessions/session-filter.ts"
import { type McpContext, ToolProblem } from "./port.ts"

/** The most sessions to examine for the one that the parent process has open. */
const MOST_OPENED = 4

/** Runs `work` with that session and its files. Contract: throws a ToolProblem if the agent has no session here yet. */
export async function withCurrentSession<Value>(
  at: McpContext,
  work: (session: Session) => Promise<Value>,
): Promise<Value> {
  const log = await currentLog(at)
  if (log !== undefined) return withFilesOf(at.cli, log, work)
  const whose = at.agent === undefined ? "No agent" : agentTitle(at.agent)
  throw new ToolProblem(
    `${whose} has ${at.agent === undefined ? "a" : "no"} session in ${at.cli.cwd} yet.`,
    "Its first messages have to be on disk: try again after the next step.",
  )
}

/** The newest one; if several were used since the server started, the one that the parent process has open. */
async function currentLog({ cli, agent, started, parent }: McpContext): Promise<SessionLog | undefined> {
  const listed = await filteredSessions(cli, { agent })
  const own = listed.filter((session) => !isTask(session) && session.gone === undefined)
  const used = own.filter(({ updated }) => Date.parse(updated) >= started).slice(0, MOST_OPENED)
  if (used.length > 1) {
    for (const session of used) {
      const log = await open(cli, session)
      if (log.lease.holder()?.pid === parent) return log
      await log.close()
    }
  }
  return own[0] && open(cli, own[0])
}

/** By its file if it is ours: a copy in another folder has the same id. */
export function open(cli: McpContext["cli"], { id, file, agent }: SessionSummary): Promise<SessionLog> {
  return file === undefined || agent !== undefined ? cli.store.open(id) : cli.store.openFile(file)
}
