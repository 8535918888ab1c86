// The file changes that go with a move: the steps that a restore takes back or makes again.
import type { SpansToRestore } from "../../../history/files/applied-changes.ts"
import type { CallSpan } from "../../../history/files/call-spans.ts"
import { type OwnCommand, perhapsOwn } from "../../../history/files/own-commands.ts"
import type { History, Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { FilesMove } from "../../../model/record/record.ts"
import { type Heads, parseSnapshotId, type Repository, type SnapshotId, type Step } from "../../../workspace/port.ts"
import { type OtherSpan, sharedPaths } from "../known/other-sessions.ts"

/** How the files differ from a moment, from the log alone. `added`: exists now but did not then. */
export function differing({ takeBack, bringAgain }: SpansToRestore): { path: string; change: string }[] {
  const found = new Map<string, { now: boolean; before: boolean; kinds: Set<string> }>()
  const step = (path: string, change: string, gone: "added" | "deleted") => {
    const there = change !== (gone === "added" ? "deleted" : "added")
    const known = found.get(path) ?? { now: there, before: there, kinds: new Set() }
    found.set(path, { ...known, before: change !== gone, kinds: known.kinds.add(change) })
  }
  // From now to that moment: taking back an addition, or bringing back a deletion, leaves no file.
  for (const span of takeBack) for (const { path, change } of span.changes) step(path, change, "added")
  for (const span of bringAgain) for (const { path, change } of span.changes) step(path, change, "deleted")
  return [...found]
    .filter(([, { now, before }]) => now || before)
    .map(([path, { now, before, kinds }]) => ({
      path,
      change: now === before ? onlyOf(kinds) : now ? "added" : "deleted",
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function onlyOf(kinds: ReadonlySet<string>): string {
  const [only = "modified"] = kinds
  return kinds.size === 1 ? only : "modified"
}

/** Who else changed files at the same time. */
interface Beside {
  others: readonly OtherSpan[]
  commands: readonly OwnCommand[]
}

/**
 * What is taken back comes first, newest first; then what is made again, oldest first, as reversed steps. `said`: the steps of
 * those that no snapshot shows.
 */
export function stepsOf(
  history: History,
  { takeBack, bringAgain }: SpansToRestore,
  beside: Beside,
  said?: ReadonlyMap<CallSpan, Step>,
): Step[] {
  const turned = ({ before, after, heads, ...rest }: Step): Step => ({
    before: after,
    after: before,
    ...rest,
    ...(heads && { heads: { ended: heads.ended } }),
  })
  return [
    ...takeBack.map((span) => said?.get(span) ?? stepOf(history, span, beside)),
    ...bringAgain.map((span) => turned(said?.get(span) ?? stepOf(history, span, beside))),
  ]
}

function stepOf(history: History, span: CallSpan, { others, commands }: Beside): Step {
  const step: Step = {
    before: snapshotId(span.before),
    after: snapshotId(span.after),
    paths: span.changes.map((change) => change.path),
  }
  const uncertain = span.changes.filter((change) => change.during !== undefined).map((change) => change.path)
  const shared = sharedPaths(span, others)
  const own = perhapsOwn(span, commands)
  if (span.whole) step.command = true
  if (uncertain.length > 0) step.uncertain = uncertain
  if (shared.length > 0) step.shared = shared
  if (own.length > 0) step.own = own
  const heads = headsOf(history, span)
  if (heads !== undefined) step.heads = heads
  return step
}

function headsOf(history: History, span: CallSpan): Heads | undefined {
  const [began, ended] = [repositoriesAt(history, span.opened), repositoriesAt(history, span.row)]
  if (began.length === 0 && ended.length === 0) return undefined
  return {
    began: { at: Date.parse(span.from), repositories: began },
    ended: { at: Date.parse(span.until), repositories: ended },
  }
}

function repositoriesAt(history: History, row: Row): Repository[] {
  const record = history.record(row)
  if (record?.type !== "snapshot") return []
  return (record.repositories ?? []).map(({ path, branch, commit }) => ({ path, branch, commit }))
}

/** The steps that exactly reverse a recorded move of files: none if it changed none. */
export function stepBack(move: FilesMove): Step[] {
  return move.from === move.to ? [] : [{ before: snapshotId(move.from), after: snapshotId(move.to) }]
}

/** A log may contain anything. An invalid snapshot id counts as a snapshot that is gone. */
function snapshotId(text: string): SnapshotId {
  const id = parseSnapshotId(text)
  if (id === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: text })
  return id
}
