// Who changed what. From the windows between snapshots, every changed path gets an author, or is said to have none.
// Pure: the windows come with the paths that differ between their two snapshots.

import type { SnapshotId, Step } from "./port.ts"

/** A stretch of time between two snapshots of one session. Outside all windows with a call, changes are the person's. */
export type Window = {
  session: string
  /** Order in time, on one clock for all sessions: milliseconds. A background command ends when it ends. */
  start: number
  end: number
  before: SnapshotId
  after: SnapshotId
  /** Paths that differ between the two. */
  changed: string[]
  /** The tool call that ran. Absent: none ran. A sub-agent's call carries the round that called it. */
  call?: { round: string; call: string }
  /** Edit and write tools: the paths they name. Absent for a shell or an unknown tool: it may have written anything. */
  named?: string[]
}

export type Author =
  | { by: "call"; round: string; call: string; during?: "command" }
  | { by: "person" }
  | { by: "other-session"; session: string }
  /** Two sessions' windows overlap: it cannot be told who did it. */
  | { by: "nobody"; sessions: string[] }

export type Attribution = { path: string; window: Window; author: Author }

/**
 * Contract: one answer per changed path and window of `own`, in order. Never guesses: a path that changed while a
 * command ran is marked, and one that changed in windows of two sessions at once is nobody's.
 */
export function attribute(own: Window[], others: Window[] = []): Attribution[] {
  return own.flatMap((window) =>
    window.changed.map((path) => ({ path, window, author: authorOf(window, path, others) })),
  )
}

function authorOf(window: Window, path: string, others: Window[]): Author {
  const rivals = others.filter(
    (other) => other.call !== undefined && overlaps(window, other) && mayHaveWritten(other, path),
  )
  const sessions = [...new Set(rivals.map(({ session }) => session))].sort()
  const mine = window.call !== undefined && (window.named === undefined || window.named.includes(path))
  if (mine && sessions.length > 0) return { by: "nobody", sessions: [window.session, ...sessions] }
  if (mine && window.call !== undefined) {
    const { round, call } = window.call
    return window.named === undefined ? { by: "call", round, call, during: "command" } : { by: "call", round, call }
  }
  const [only, ...more] = sessions
  if (only === undefined) return { by: "person" }
  return more.length === 0 ? { by: "other-session", session: only } : { by: "nobody", sessions }
}

function overlaps(a: Window, b: Window): boolean {
  return a.session !== b.session && a.start < b.end && b.start < a.end
}

function mayHaveWritten(window: Window, path: string): boolean {
  return window.changed.includes(path) && (window.named === undefined || window.named.includes(path))
}

/** The steps that take back what the calls of these rounds did, newest first. What is nobody's comes along to be named. */
export function stepsOf(attributions: Attribution[], rounds: ReadonlySet<string>): Step[] {
  const steps = new Map<Window, Required<Pick<Step, "paths" | "uncertain" | "shared">>>()
  for (const { path, window, author } of attributions) {
    if (window.call === undefined || !rounds.has(window.call.round)) continue
    const step = steps.get(window) ?? { paths: [], uncertain: [], shared: [] }
    steps.set(window, step)
    if (author.by === "nobody") step.shared.push(path)
    if (author.by !== "call") continue
    step.paths.push(path)
    if (author.during === "command") step.uncertain.push(path)
  }
  return [...steps]
    .sort(([a], [b]) => b.end - a.end || b.start - a.start)
    .map(([{ before, after }, step]) => ({ before, after, ...step }))
}
