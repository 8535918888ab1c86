// What a restore would do, computed without touching the disk: it takes back each path's changes, newest first, then
// checks the result for paths that are in each other's way.
import type { Conflict, Kept } from "../../model/move/file-outcomes.ts"
import type { KeptReason } from "../../model/text/file-reasons.ts"
import { type FileState, foldersAbove, type RestoreAction } from "../port.ts"
import type { Difference } from "../text/file-changes.ts"
import type { Clash } from "../text/merge.ts"
import { type ChangePair, changesToTakeBack } from "./changes-to-take-back.ts"
import { isAsCommitted } from "./checkout.ts"
import type { Now, PlanInput } from "./plan-input.ts"
import { type FileContent, same, takeBack } from "./take-back.ts"

export type PlanOutput = {
  actions: RestoreAction[]
  kept: Kept[]
  untaken: { path: string; steps: number[] }[]
  conflicts: Conflict[]
  uncertain: string[]
}

export function planActions(input: PlanInput): PlanOutput {
  const kept = new Map<string, Kept>()
  const untaken = new Map<string, number[]>()
  const uncertain = new Set<string>()
  const keep = (path: string, because: KeptReason, steps: number[]) => {
    kept.set(path, { path, because })
    untaken.set(path, [...(untaken.get(path) ?? []), ...steps])
  }
  /** A folder comes with its files, so only the files are named. */
  const keepGits = ({ path, from, to }: Difference, steps: number[]) => {
    const known = kept.get(path)
    keep(path, "git-switched", steps)
    if (known !== undefined) kept.set(path, known)
    else if ((to ?? from)?.kind === "folder") kept.delete(path)
  }
  const chains = changesToTakeBack(input, { keep, keepGits }, uncertain)
  const wanted = new Map<string, FileState | undefined>()
  const conflicts: Conflict[] = []
  for (const [path, pairs] of chains) {
    let state = input.now.state(path)
    const start = state
    const keepWhole = (because: KeptReason) => {
      keep(
        path,
        because,
        pairs.flatMap(({ steps }) => steps),
      )
      state = start
    }
    // Without one of its steps, a file would be what it never was: it is restored as planned, or not touched.
    const known = kept.get(path)
    if (known !== undefined && !isNobodys(known)) {
      keepWhole(known.because)
      continue
    }
    if (start === undefined && isLeftOutNow(input.now, path, pairs)) {
      keepWhole("not-covered")
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
      // Someone who names a file and chooses "theirs" wants its bytes as they were at that moment.
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
      else if (taken.outcome === "kept") keepWhole(taken.because)
      // A database or a log that some program keeps writing: nobody can choose between its versions, and perhaps the
      // agent wrote none of them.
      else if (isCommands(input, steps) && (taken.because === "binary" || isLog([before, after, state], input.content)))
        keepWhole("changed-since")
      else {
        state = start
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
    if (start === undefined && input.now.isUncovered(path) && input.now.spelling(path) === undefined)
      keepWhole("not-covered")
    else wanted.set(path, state)
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
    kept: [...kept.values()].filter((each) => !isNobodys(each) || !wanted.has(each.path)),
    untaken: [...untaken].map(([path, steps]) => ({ path, steps: [...new Set(steps)] })),
    conflicts,
    uncertain: [...uncertain].filter((path) => wanted.has(path)),
  }
}

/**
 * Git brought it, or it was only then that snapshots began or ceased to cover it: if the agent changed the file too, the file
 * does change, and only the agent's part is taken back.
 */
function isNobodys({ because }: Kept): boolean {
  return because === "git-switched" || because === "not-covered"
}

function isCommands(input: PlanInput, steps: readonly number[]): boolean {
  return steps.some((i) => input.steps[i]?.step.command === true)
}

/** Whether a file that the agent left still exists although no snapshot covers it now, say because it is ignored. */
function isLeftOutNow(now: Now, path: string, [newest]: ChangePair[]): boolean {
  const left = newest?.after
  if (left === undefined || left.kind === "folder") return false
  return now.isUncovered(path) && now.spelling(path) === undefined
}

/** Whether each version of a file is the previous one with something appended. */
function isLog(versions: (FileState | undefined)[], content: FileContent): boolean {
  const texts = versions.map((state) => (state?.kind === "file" ? content.read(state.oid) : undefined))
  return texts.every((text, i) => {
    const older = i === 0 ? text : texts[i - 1]
    return text !== undefined && older !== undefined && text.subarray(0, older.length).equals(older)
  })
}

/** Whether nothing that the agent wrote there is left, and everything that it removed is there again. */
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

function toPart(clash: { line: number; ours: string[]; theirs: string[] }) {
  const text = (lines: string[]) => Buffer.from(lines.join(""), "latin1").toString("utf8")
  return { line: clash.line, lines: clash.ours.length, now: text(clash.ours), before: text(clash.theirs) }
}

/**
 * Makes the wanted files and folders fit together: parents exist, nothing is in the way, spellings do not collide.
 * Folders still in use are kept, missing ones are created, and a file where a folder must be is a conflict.
 */
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
 * If the file system ignores case, a path to create may already exist in another spelling. It is created once the
 * existing one is gone; if that one stays, both are left alone. Returns these paths.
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
