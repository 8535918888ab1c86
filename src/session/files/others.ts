// Other sessions in the same directory: what two of them changed at the same time is nobody's.
import { type Window, windows } from "../../history/windows.ts"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import type { SessionStore } from "../../store/port.ts"
import type { RestorePlan } from "../../workspace/port.ts"

export interface OtherWindow {
  session: SessionId
  from: string
  until: string
  paths: ReadonlySet<string>
}

/** The windows of other sessions of this directory that ended after `since`. */
export async function otherWindows(
  store: SessionStore,
  me: { id: SessionId; cwd: string },
  since: string,
): Promise<OtherWindow[]> {
  const found: OtherWindow[] = []
  for (const summary of await store.list({ cwd: me.cwd })) {
    if (summary.id === me.id || summary.updated < since) continue
    for (const window of await windowsOf(store, summary.id)) {
      if (window.until < since) continue
      const { from, until, changes } = window
      found.push({ session: summary.id, from, until, paths: new Set(changes.map((each) => each.path)) })
    }
  }
  return found
}

/** A session that cannot be opened has no say: what it changed is then taken for the person's, and kept. */
async function windowsOf(store: SessionStore, id: SessionId): Promise<Window[]> {
  try {
    const log = await store.open(id)
    const found = windows(log.history)
    await log.close()
    return found
  } catch (error) {
    if (error instanceof RetconError) return []
    throw error
  }
}

/** Paths of a window that another session changed while it was open. */
export function sharedPaths(window: Window, others: readonly OtherWindow[]): string[] {
  const overlapping = others.filter((other) => other.from < window.until && other.until > window.from)
  return window.changes
    .map((change) => change.path)
    .filter((path) => overlapping.some((other) => other.paths.has(path)))
}

/** The plan, which says of what stays or conflicts who changed it, where a log of `others` says so. */
export function withOthers(
  plan: RestorePlan,
  others: readonly OtherWindow[],
  since: (path: string) => string | undefined,
): RestorePlan {
  const named = <Named extends { path: string }>(each: Named): Named => {
    const from = since(each.path)
    if (from === undefined) return each
    const theirs = others.filter(({ paths, until }) => paths.has(each.path) && until >= from)
    const last = theirs.sort((a, b) => (a.until < b.until ? 1 : -1))[0]
    return last === undefined ? each : { ...each, by: last.session }
  }
  return { ...plan, kept: plan.kept.map(named), conflicts: plan.conflicts.map(named) }
}
