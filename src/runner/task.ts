// Sub-agents: a task runs in a separate session, linked to the entry that called it. Its result is the tool's result.
import { failure } from "../agent/port/tool.ts"
import type { RunTask } from "../agent/tools/task.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { type EntryId, parseSessionId, type SessionId } from "../model/id.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { Session } from "../session/session.ts"
import type { Owner } from "./port/coverage.ts"
import type { TurnDeps } from "./port/turn-deps.ts"

/** Sub-agents may give tasks themselves, down to this depth. */
export const DEEPEST_TASK = 2

export interface TaskDeps {
  /** The session that gives the tasks. */
  parent: Session
  /** 1 for the first sub-agent. */
  depth: number
  create(from: { session: SessionId; entry: EntryId | null }): Promise<Session>
  /** Contract: throws `not-found` if there is none. */
  open(id: SessionId): Promise<Session>
  /** What the sub-agent's turn needs. */
  turnDeps(session: Session, owner: Owner, depth: number, emit: (event: HostEvent) => void): Promise<TurnDeps>
  emit: (event: HostEvent) => void
  /** The owner of a sub-agent's own tasks is the call of the topmost parent. */
  owner?: Owner
}

export function makeRunTask(deps: TaskDeps): RunTask {
  const running = new Set<string>()
  return async (task, context) => {
    const opened = await openTask(deps, task.resume, running)
    if (typeof opened === "string") return failure(opened)
    const { id } = opened
    const owner = deps.owner ?? { entry: deps.parent.head as EntryId, call: context.call }
    const tagged = (event: HostEvent) =>
      deps.emit({ ...event, task: event.task ?? { session: id, call: context.call, depth: deps.depth } })
    try {
      const turn = await deps.turnDeps(opened, owner, deps.depth, tagged)
      const content = [{ type: "text" as const, text: task.prompt }]
      const draft = { type: "message" as const, role: "user" as const, origin: "task" as const, content }
      const { runTurn } = await import("./turn.ts")
      const ended = await runTurn(turn, [draft], context.signal)
      tagged({ type: "turn-end", outcome: ended.outcome, totals: turn.meter.totals() })
      if (ended.outcome === "failed") return failure(`The sub-agent ${id} failed: ${ended.message}`)
      if (ended.outcome === "stopped") return failure(`The sub-agent ${id} was stopped.`)
      return { output: `${ended.text}\n\n[Sub-agent ${id}: name it in "resume" to continue it.]` }
    } finally {
      running.delete(id)
      await opened.close()
    }
  }
}

/** Contract: a session it returns is in `running`. */
async function openTask(deps: TaskDeps, resume: string | undefined, running: Set<string>): Promise<Session | string> {
  if (resume === undefined) {
    const session = await deps.create({ session: deps.parent.id, entry: deps.parent.head })
    running.add(session.id)
    return session
  }
  const id = parseSessionId(resume)
  if (id === undefined)
    return `There is no sub-agent ${JSON.stringify(resume.slice(0, 60))}. Leave "resume" out to start one.`
  if (running.has(id)) return `The sub-agent ${id} is still running. Wait for its result.`
  // Before anything is awaited, so that two calls of one step cannot both get it.
  running.add(id)
  const found = await openOwn(deps, id)
  if (typeof found === "string") running.delete(id)
  return found
}

async function openOwn(deps: TaskDeps, id: SessionId): Promise<Session | string> {
  try {
    const session = await deps.open(id)
    const { from } = session.log.header
    if (from?.as === "task" && from.session === deps.parent.id) return session
    await session.close()
    return `The session ${id} is not a sub-agent of this one.`
  } catch (error) {
    if (error instanceof RetconError) return wordsFor(error.failure).message
    throw error
  }
}
