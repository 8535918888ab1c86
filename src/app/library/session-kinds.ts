// What a session is, from its summary.
import { worksForAnother } from "../../model/record/record.ts"
import type { SessionSummary } from "../../store/port.ts"

/** Nothing was ever said in it. A session whose head was moved to before the first prompt is not empty. */
export function isEmpty(session: SessionSummary): boolean {
  return session.branches === 0
}

/** The session of a sub-agent, or of an attempt. */
export function isTask(session: SessionSummary): boolean {
  return worksForAnother(session.from)
}

/** The session and the sub-agents that worked for it or for its attempts, at any depth. What attempts did is in its own tree. */
export function withTasks(id: string, listed: readonly SessionSummary[]): Set<string> {
  const own = new Set([id])
  const tasks = listed.filter(isTask)
  for (let grew = true; grew; ) {
    const before = own.size
    for (const task of tasks) if (own.has(task.from?.session ?? "")) own.add(task.id)
    grew = own.size > before
  }
  for (const { id: task, from } of tasks) if (from?.as === "attempt") own.delete(task)
  return own
}
