// What a session is, from its summary.
import type { SessionSummary } from "../../store/port.ts"

/** Nothing was ever said in it. A session whose head was moved to before the first prompt is not empty. */
export function isEmpty(session: SessionSummary): boolean {
  return session.branches === 0
}

/** The session of a sub-agent. */
export function isTask(session: SessionSummary): boolean {
  return session.from?.as === "task"
}

/** The session and the sub-agents that worked for it, at any depth. */
export function withTasks(id: string, listed: readonly SessionSummary[]): Set<string> {
  const own = new Set([id])
  const tasks = listed.filter(isTask)
  for (let grew = true; grew; ) {
    const before = own.size
    for (const task of tasks) if (own.has(task.from?.session ?? "")) own.add(task.id)
    grew = own.size > before
  }
  return own
}
