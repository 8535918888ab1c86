// What a restore would do, worked out without touching the disk: every path's changes are taken back newest first, then
// the result is checked for paths that are in each other's way.

import type { Conflict, Kept } from "../../model/move/file-outcomes.ts"
import type { KeptReason } from "../../model/text/file-reasons.ts"
import { foldersAbove } from "../file-path.ts"
import type { FileState, OnConflict, RestoreAction, Step } from "../port.ts"
import type { Difference } from "../text/change.ts"
import type { Clash } from "../text/merge.ts"
import { type Checkouts, isAsCommitted } from "./checkout.ts"
import { type FileContent, same, takeBack } from "./take-back.ts"

/** A step with what it changed. `covered` false: one of its snapshots left this path out on purpose. */
export type PlannedStep = {
  step: Step
  differences: Difference[]
  covered: (path: string) => boolean
  checkouts?: Checkouts | undefined
}

export type Now = {
  state(path: string): FileState | undefined
  /** Names in a folder of the snapshot of now. */
  children(path: string): string[]
  /** Something is there that the snapshot of now does not cover. */
  isUncovered(path: string): boolean
  /** A name on disk, in a folder of the snapshot, that the snapshot does not cover. */
  uncoveredIn(folder: string): string | undefined
  /** The snapshot's spelling of a path that it does not have, but that the file system treats as one that it has. */
  spelling(path: string): string | undefined
}

export type PlanInput = {
  steps: PlannedStep[]
  paths?: string[]
  /** These, and everything below them, stay as they are. */
  keep?: string[]
  /** What somebody else may have done stays too. */
  onlyCertain?: boolean
  now: Now
  content: FileContent
  onConflict: OnConflict
}
export type PlanOutput = {
  actions: RestoreAction[]
  kept: Kept[]
  untaken: { path: string; steps: number[] }[]
  conflicts: Conflict[]
  uncertain: string[]
}

/** `steps`: the numbers of the steps that it stands for. */
type Pair = { after: FileState | undefined; before: FileState | undefined; steps: number[] }

export function planActions(input: PlanInput): PlanOutput {
  const kept = new Map<string, Kept>()
  const untaken = new Map<string, number[]>()
  const uncertain = new Set<string>()
  const keep = (path: string, because: KeptReason, steps: number[]) => {
    kept.set(path, { path, because })
    untaken.set(path, [...(untaken.get(path) ?? []), ...steps])
  }
  /** A folder goes along with its files, so only the files are named. */
  const keepGits = ({ path, from, to }: Difference, steps: number[]) => {
    const known = kept.get(path)
    keep(path, "git-switched", steps)
    if (known !== undefined) kept.set(path, known)
    else if ((to ?? from)?.kind === "folder") kept.delete(path)
  }
  const chains = gatherChains(input, { keep, keepGits }, uncertain)
  const wanted = new Map<string, FileState | undefined>()
  const conflicts: Conflict[] = []
  for (const [path, pairs] of chains) {
    let state = input.now.state(path)
    const start = state
    if (start === undefined && isLeftOutNow(input.now, path, pairs)) {
      keep(
        path,
        "not-covered",
        pairs.flatMap(({ steps }) => steps),
      )
      continue
    }
    for (const [i, { after, before, steps }] of pairs.entries()) {
      const git = input.steps[steps[0] ?? 0]?.checkouts
      const rest = () => pairs.slice(i).flatMap(({ steps }) => steps)
      const taken = takeBack(after, before, state, input.content, input.onConflict)
      if (taken.outcome === "want") {
        state = taken.state
        continue
      }
      // A person who names a file and says how to settle a conflict wants the bytes of that moment.
      if (taken.outcome === "kept" && input.paths !== undefined && input.onConflict === "theirs") {
        state = before
        continue
      }
      const left = git?.since(path) ?? []
      if (taken.outcome === "conflict" && left.length > 0 && isTakenBack(taken.clashes)) {
        const settled = takeBack(after, before, state, input.content, "ours")
        if (settled.outcome === "want") state = settled.state
        continue
      }
      if (left.some((committed) => isAsCommitted(state, committed))) keep(path, "git-switched", rest())
      else if (taken.outcome === "kept") keep(path, taken.because, rest())
      // A database or a log that a program keeps writing: nobody can choose between its versions, and perhaps the agent
      // wrote none of them.
      else if (uncertain.has(path) && (taken.because === "binary" || isLog([before, after, state], input.content)))
        keep(path, "changed-since", rest())
      else {
        const branches = left.length === 0 ? undefined : git?.stands(path)
        conflicts.push({
          path,
          because: taken.because,
          parts: taken.clashes.map(toPart),
          ...(branches && { branches }),
        })
      }
      break
    }
    if (same(state, start)) continue
    if (start === undefined && input.now.isUncovered(path) && input.now.spelling(path) === undefined) {
      keep(
        path,
        "not-covered",
        pairs.flatMap(({ steps }) => steps),
      )
    } else wanted.set(path, state)
  }
  const blocked: Conflict[] = []
  fitTogether(input.now, wanted, blocked)
  for (const conflict of blocked) {
    const steps = (chains.get(conflict.path) ?? []).flatMap(({ steps }) => steps)
    if (input.onConflict === "ours") keep(conflict.path, "conflict-ours", steps)
    else conflicts.push(conflict)
  }
  for (const path of keepSpelling(input.now, wanted)) {
    keep(
      path,
      "other-spelling",
      (chains.get(path) ?? []).flatMap(({ steps }) => steps),
    )
  }
  const actions = [...wanted].map(([path, to]) => ({ path, from: input.now.state(path), to }))
  return {
    actions: actions.filter(({ from, to }) => !same(from, to)),
    // A file that git brought and the agent changed does change: only the agent's part is taken back.
    kept: [...kept.values()].filter(({ path, because }) => because !== "git-switched" || !wanted.has(path)),
    untaken: [...untaken].map(([path, steps]) => ({ path, steps: [...new Set(steps)] })),
    conflicts,
    uncertain: [...uncertain].filter((path) => wanted.has(path)),
  }
}

/** Whether a file that the agent left is still there although no snapshot covers it now, because it is ignored since, say. */
function isLeftOutNow(now: Now, path: string, [newest]: Pair[]): boolean {
  const left = newest?.after
  if (left === undefined || left.kind === "folder") return false
  return now.isUncovered(path) && now.spelling(path) === undefined
}

type Keeping = {
  keep: (path: string, because: KeptReason, steps: number[]) => void
  keepGits: (difference: Difference, steps: number[]) => void
}

/** For each path the changes to take back, newest first; a run of the agent's own changes is one change. */
function gatherChains(input: PlanInput, { keep, keepGits }: Keeping, uncertain: Set<string>): Map<string, Pair[]> {
  const chains = new Map<string, Pair[]>()
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

/** A change without what git brought meanwhile; `git` when nothing else is in it. */
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

/** Whether each version of a file is the one before with something appended. */
function isLog(versions: (FileState | undefined)[], content: FileContent): boolean {
  const texts = versions.map((state) => (state?.kind === "file" ? content.read(state.oid) : undefined))
  return texts.every((text, i) => {
    const older = i === 0 ? text : texts[i - 1]
    return text !== undefined && older !== undefined && text.subarray(0, older.length).equals(older)
  })
}

/** Whether none of what the agent wrote there is left, and all that it removed is there again. */
function isTakenBack(clashes: readonly Clash[]): boolean {
  return (
    clashes.length > 0 &&
    clashes.every(({ ours, base, theirs }) => {
      const [now, after, before] = [new Set(ours), new Set(base), new Set(theirs)]
      return (
        base.every((line) => before.has(line) || !now.has(line)) &&
        theirs.every((line) => after.has(line) || now.has(line))
      )
    })
  )
}

function addPair(chains: Map<string, Pair[]>, path: string, pair: Pair): void {
  const pairs = chains.get(path)
  const newer = pairs?.at(-1)
  if (pairs === undefined) chains.set(path, [pair])
  else if (newer !== undefined && same(newer.before, pair.after)) {
    newer.before = pair.before
    newer.steps.push(...pair.steps)
  } else pairs.push(pair)
}

/**
 * A path matches itself, everything below it if `reach` says so, and the folders above it that come or go with it.
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

function toPart(clash: { line: number; ours: string[]; theirs: string[] }) {
  const text = (lines: string[]) => Buffer.from(lines.join(""), "latin1").toString("utf8")
  return { line: clash.line, lines: clash.ours.length, now: text(clash.ours), before: text(clash.theirs) }
}

/** Folders still in use are kept, missing ones are created, and a file where a folder must be is a conflict. */
function fitTogether(now: Now, wanted: Map<string, FileState | undefined>, conflicts: Conflict[]): void {
  const final = (path: string) => (wanted.has(path) ? wanted.get(path) : now.state(path))
  const deepestFirst = [...wanted.keys()].sort((a, b) => depth(b) - depth(a))
  const filled = new Set<string>()
  for (const [path, state] of wanted)
    if (state !== undefined) for (const folder of foldersAbove(path)) filled.add(folder)
  const isEmptied = (path: string): boolean =>
    !filled.has(path) && now.children(path).every((name) => final(`${path}/${name}`) === undefined)
  for (const path of deepestFirst) {
    const state = wanted.get(path)
    const start = now.state(path)
    if (start?.kind !== "folder" || state?.kind === "folder") continue
    const holds = isEmptied(path) ? now.uncoveredIn(path) : undefined
    if (isEmptied(path) && holds === undefined) continue
    wanted.delete(path)
    if (state !== undefined) conflicts.push({ path, because: "in-the-way", parts: [], ...(holds && { holds }) })
  }
  for (const [path, state] of wanted) {
    if (state === undefined) continue
    for (const folder of foldersAbove(path)) {
      const there = final(folder)
      if (there === undefined) wanted.set(folder, { kind: "folder", perm: 0o755 })
      else if (there.kind !== "folder") {
        wanted.delete(path)
        conflicts.push({ path, because: "in-the-way", parts: [] })
        break
      }
    }
  }
}

/**
 * Where the file system ignores case, a path to be created may already exist in another spelling. It is created once the
 * existing one is gone; if that one stays, both stay as they are. Returns the paths that do.
 */
function keepSpelling(now: Now, wanted: Map<string, FileState | undefined>): string[] {
  const kept = new Set<string>()
  for (const path of [...wanted.keys()].sort((a, b) => depth(a) - depth(b))) {
    if (wanted.get(path) === undefined || now.state(path) !== undefined) continue
    const isBelowKept = foldersAbove(path).some((folder) => kept.has(folder))
    const there = now.isUncovered(path) ? now.spelling(path) : undefined
    const goes = there !== undefined && wanted.has(there) && wanted.get(there) === undefined
    if (!isBelowKept && (there === undefined || goes)) continue
    kept.add(path)
    wanted.delete(path)
    if (there !== undefined) wanted.delete(there)
  }
  return [...kept]
}

function depth(path: string): number {
  return path.split("/").length
}
