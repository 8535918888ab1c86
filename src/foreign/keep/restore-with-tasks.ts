// Restores a session together with its sub-agents' sessions.
import type { ListedSession } from "../list/list-agent.ts"
import { type RestoredSession, restoreKept } from "./restore-kept.ts"

/** `all`: every listed session. `folder`: where the copies of this agent's files are. */
export function restoreWithTasks(
  session: ListedSession,
  all: readonly ListedSession[],
  folder: string,
): RestoredSession {
  const { format, place, summary } = session
  const present = all.some((each) => each.format === format && isPresent(each) && each.summary.name === summary.name)
  const own: RestoredSession = isPresent(session)
    ? stillThere(session)
    : restoreKept(format, place, { name: summary.name ?? "", folder, present })
  const tasks = tasksOf(session, all).filter((task) => task.summary.gone !== undefined)
  if (own.outcome === "take-in") return own
  if (own.outcome === "refused" && (own.because !== "there" || tasks.length === 0)) return own
  const files = new Set(own.outcome === "restored" ? own.files : [])
  for (const task of tasks) {
    const restored = restoreKept(format, task.place, { name: task.summary.name ?? "", folder, present: false })
    if (restored.outcome === "restored") for (const file of restored.files) files.add(file)
  }
  if (own.outcome === "refused" && files.size === 0) return own
  const resume = own.outcome === "restored" ? own.resume : format.resume(place, summary.name ?? "")
  return { outcome: "restored", files: [...files], resume }
}

function isPresent({ summary }: ListedSession): boolean {
  return summary.gone === undefined
}

function stillThere({ place }: ListedSession): RestoredSession {
  if (place.within === undefined) return { outcome: "refused", because: "there", file: place.main }
  return { outcome: "refused", because: "in-database", file: place.path }
}

/** Its sub-agents' sessions, and those of their sub-agents. */
function tasksOf({ format, summary }: ListedSession, all: readonly ListedSession[]): ListedSession[] {
  const found: ListedSession[] = []
  const ids = new Set<string>([summary.id])
  for (const id of ids) {
    for (const task of all) {
      const { from } = task.summary
      if (task.format !== format || from?.as !== "task" || from.session !== id || ids.has(task.summary.id)) continue
      ids.add(task.summary.id)
      found.push(task)
    }
  }
  return found
}
