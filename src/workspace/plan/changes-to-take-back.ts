// Which changes a restore takes back on each path: the agent's own, without what git or someone else did.
import type { KeptReason } from "../../model/text/file-reasons.ts"
import { type FileState, foldersAbove } from "../port.ts"
import type { Difference } from "../text/file-changes.ts"
import { type Checkouts, isAsCommitted } from "./checkout.ts"
import type { PlanInput } from "./plan-input.ts"
import { same } from "./take-back.ts"

/** One change to take back. `steps`: the numbers of the steps that it combines. */
export type ChangePair = { after: FileState | undefined; before: FileState | undefined; steps: number[] }

/** Reports what is left alone. */
export type KeptSink = {
  keep: (path: string, because: KeptReason, steps: number[]) => void
  keepGits: (difference: Difference, steps: number[]) => void
}

/** For each path the changes to take back, newest first; consecutive changes by the agent count as one. */
export function changesToTakeBack(
  input: PlanInput,
  { keep, keepGits }: KeptSink,
  uncertain: Set<string>,
): Map<string, ChangePair[]> {
  const chains = new Map<string, ChangePair[]>()
  const isAsked = matcherOf(input.paths, "below")
  const isHeld = input.keep === undefined ? () => false : matcherOf(input.keep, "below")
  for (const [i, { step, differences, covered, checkouts }] of input.steps.entries()) {
    const isAgents = matcherOf(step.paths, "alone")
    const shared = new Set(step.shared)
    const own = new Set(step.own)
    const unsure = new Set(step.uncertain)
    for (const difference of differences) {
      const { path, from, to } = difference
      if (!isAsked(difference)) continue
      if (shared.has(path)) keep(path, "other-session", [i])
      else if (own.has(path)) keep(path, "own-command", [i])
      else if (isAgents(difference)) {
        if ((from === undefined || to === undefined) && !covered(path)) keep(path, "not-covered", [i])
        else if (isHeld(difference)) keep(path, "asked", [i])
        else if (input.onlyCertain === true && unsure.has(path)) keep(path, "uncertain", [i])
        else {
          const own = withoutGit(difference, checkouts)
          if (own === "git") keepGits(difference, [i])
          else {
            if (unsure.has(path)) uncertain.add(path)
            addPair(chains, path, { after: to, before: own.before, steps: [i] })
          }
        }
      }
    }
  }
  return chains
}

/** A change without what git brought meanwhile; `git` if that was all of it. */
function withoutGit(
  { path, from, to }: Difference,
  checkouts: Checkouts | undefined,
): "git" | { before: FileState | undefined } {
  const brought = checkouts?.during(path)
  if (brought === undefined || !brought.from.some((each) => isAsCommitted(from, each))) return { before: from }
  if (isAsCommitted(to, brought.to)) return "git"
  const left = brought.asState(to ?? from)
  return left === undefined ? { before: from } : { before: left.state }
}

function addPair(chains: Map<string, ChangePair[]>, path: string, pair: ChangePair): void {
  const pairs = chains.get(path)
  const newer = pairs?.at(-1)
  if (pairs === undefined) chains.set(path, [pair])
  else if (newer !== undefined && same(newer.before, pair.after)) {
    newer.before = pair.before
    newer.steps.push(...pair.steps)
  } else pairs.push(pair)
}

/**
 * A path matches itself, everything below it with `reach` "below", and folders above it that are created or removed.
 */
function matcherOf(paths: string[] | undefined, reach: "alone" | "below"): (difference: Difference) => boolean {
  if (paths === undefined) return () => true
  const named = new Set(paths)
  const above = new Set(paths.flatMap(foldersAbove))
  const isFolder = (state: FileState | undefined) => state === undefined || state.kind === "folder"
  return ({ path, from, to }) =>
    named.has(path) ||
    (above.has(path) && isFolder(from) && isFolder(to) && (from === undefined || to === undefined)) ||
    (reach === "below" && foldersAbove(path).some((folder) => named.has(folder)))
}
