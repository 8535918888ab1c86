// Which changes of files go with a move: the steps that a restore takes back or brings again.

import { type FilesPlan, filesPlan, type Moment } from "../../history/held.ts"
import type { Window } from "../../history/windows.ts"
import { RetconError } from "../../model/failure.ts"
import type { FilesMove } from "../../model/record.ts"
import { parseSnapshotId, type SnapshotId, type Step } from "../../workspace/port.ts"
import type { Desk } from "../desk.ts"
import { type OtherWindow, sharedPaths } from "./others.ts"

/** The files that differ from how they were at a moment, from the log alone. */
export function differing(desk: Desk, moment: Moment): { path: string; change: string }[] {
  const { takeBack, bringAgain } = filesPlan(desk.history, moment)
  const found = new Map<string, string>()
  for (const window of takeBack) for (const { path, change } of window.changes) found.set(path, inverse(change))
  for (const window of bringAgain) for (const { path, change } of window.changes) found.set(path, change)
  return [...found].map(([path, change]) => ({ path, change })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function inverse(change: string): string {
  return change === "added" ? "deleted" : change === "deleted" ? "added" : change
}

/** Newest first for what is taken back, then oldest first for what comes again: a step turned round. */
export function stepsOf({ takeBack, bringAgain }: FilesPlan, others: readonly OtherWindow[]): Step[] {
  const turned = ({ before, after, ...rest }: Step): Step => ({ before: after, after: before, ...rest })
  return [
    ...takeBack.map((window) => stepOf(window, others)),
    ...bringAgain.map((window) => turned(stepOf(window, others))),
  ]
}

function stepOf(window: Window, others: readonly OtherWindow[]): Step {
  const step: Step = {
    before: snapshotId(window.before),
    after: snapshotId(window.after),
    paths: window.changes.map((change) => change.path),
  }
  const uncertain = window.changes.filter((change) => change.during !== undefined).map((change) => change.path)
  const shared = sharedPaths(window, others)
  if (uncertain.length > 0) step.uncertain = uncertain
  if (shared.length > 0) step.shared = shared
  return step
}

/** What takes a recorded move of files back, exactly. */
export function stepBack(move: FilesMove): Step[] {
  return [{ before: snapshotId(move.from), after: snapshotId(move.to) }]
}

/** A log may say anything: what is not an id of a snapshot is one that is gone. */
function snapshotId(text: string): SnapshotId {
  const id = parseSnapshotId(text)
  if (id === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: text })
  return id
}
