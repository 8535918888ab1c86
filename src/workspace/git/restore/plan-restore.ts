// Plans a restore: takes a snapshot of now and the steps' differences, and makes the pure plan from both.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { Kept } from "../../../model/move/file-outcomes.ts"
import type { PlanInput, PlannedStep } from "../../plan/plan-input.ts"
import { planActions } from "../../plan/restore-plan.ts"
import {
  diskPath,
  type FileState,
  type PlanRequest,
  type RestoreAction,
  type RestorePlan,
  type Step,
} from "../../port.ts"
import { toFileChanges } from "../../text/file-changes.ts"
import { namesIn } from "../disk/folders.ts"
import { folded } from "../disk/spelling.ts"
import { isStaged } from "../disk/stage-name.ts"
import { childrenAt, differences, openView, type SnapshotView, stateAt } from "../objects/snapshot-view.ts"
import { openCheckouts } from "../project/checkouts.ts"
import { covers } from "../snapshot/covers.ts"
import { lstatInside } from "../snapshot/disk-state.ts"
import type { OpenWorkspace } from "../snapshot/open-workspace.ts"
import { takeSnapshot } from "../snapshot/take-snapshot.ts"

export async function makePlan(workspace: OpenWorkspace, request: PlanRequest): Promise<RestorePlan> {
  const { objects, root } = workspace
  const views = new Map<string, SnapshotView>()
  const view = (id: Step["before"]) => {
    const known = views.get(id)
    if (known !== undefined) return known
    const opened = openView(objects, root, id)
    views.set(id, opened)
    return opened
  }
  const steps = request.steps.map((step) => plannedStep(step, view(step.before), view(step.after)))
  const { id, notCovered, repositories } = await takeSnapshot(workspace)
  const now = view(id)
  const checkouts = openCheckouts(workspace, repositories)
  const states = new Map<string, FileState | undefined>()
  const read = (oid: string) => objects.read(oid).data
  const input: PlanInput = {
    steps: steps.map((each) => ({ ...each, checkouts: checkouts.of(each.step) })),
    ...(request.paths && { paths: request.paths }),
    ...(request.keep && { keep: request.keep }),
    ...(request.onlyCertain === true && { onlyCertain: true }),
    now: {
      state(path) {
        if (!states.has(path)) states.set(path, stateAt(now, path))
        return states.get(path)
      },
      children: (path) => childrenAt(now, path),
      isUncovered: (path) => lstatInside(root, path) !== undefined,
      uncoveredIn: (folder) => uncoveredIn(now, folder),
      spelling: (path) => spellingOf(now, path),
    },
    content: { read, store: (bytes) => objects.write("blob", bytes) },
    onConflict: request.onConflict ?? "refuse",
  }
  const planned = closing(checkouts, () => planActions(input))
  const actions = planned.actions.sort((a, b) => (a.path < b.path ? -1 : 1))
  const told = new Set([...actions, ...planned.kept].map(({ path }) => path))
  const kept = [...planned.kept, ...lostOf(request, view).filter(({ path }) => !told.has(path))]
  const split = new Set(actions.filter((action) => isSplit(root, action)).map(({ path }) => path))
  const files = toFileChanges(actions, read).map((file) =>
    split.has(file.path) ? { ...file, split: true as const } : file,
  )
  return { ...planned, kept, actions, now: id, notCovered, repositories, files }
}

/** Whether a file with several names is replaced: writing to it would write to the others, which may be anywhere. */
function isSplit(root: string, { path, from, to }: RestoreAction): boolean {
  return from?.kind === "file" && to !== undefined && (lstatInside(root, path)?.nlink ?? 1) > 1
}

/** What that snapshot left out and is gone now. Nothing if the snapshot itself is gone. */
function lostOf({ since, paths }: PlanRequest, view: (id: Step["before"]) => SnapshotView): Kept[] {
  if (since === undefined) return []
  try {
    const { manifest, root } = view(since)
    const left = [...manifest.skipped.keys(), ...manifest.repositories.map((path) => `${path}/.git`)]
    const isAsked = (path: string) => paths?.some((name) => path === name || path.startsWith(`${name}/`)) ?? true
    const gone = left.filter((path) => isAsked(path) && lstatInside(root, path) === undefined)
    return gone.sort().map((path) => ({ path, because: "lost" }))
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return []
    throw error
  }
}

function closing<T>(checkouts: { close(): void }, work: () => T): T {
  try {
    return work()
  } finally {
    checkouts.close()
  }
}

function uncoveredIn(now: SnapshotView, folder: string): string | undefined {
  const covered = new Set(childrenAt(now, folder))
  const name = namesIn(diskPath(now.root, folder)).find((each) => !covered.has(each) && !isStaged(each))
  return name === undefined ? undefined : `${folder}/${name}`
}

/** The path in the snapshot that differs only in spelling and is the same file or folder on disk. */
function spellingOf(now: SnapshotView, path: string): string | undefined {
  let at = ""
  for (const name of path.split("/")) {
    const found = childrenAt(now, at).find((each) => folded(each) === folded(name))
    if (found === undefined) return undefined
    at = at === "" ? found : `${at}/${found}`
  }
  const [wanted, there] = [lstatInside(now.root, path), lstatInside(now.root, at)]
  return wanted !== undefined && wanted.ino === there?.ino && wanted.dev === there.dev ? at : undefined
}

function plannedStep(step: Step, before: SnapshotView, after: SnapshotView): PlannedStep {
  const covered = (path: string) => covers(before, path) && covers(after, path)
  return { step, differences: differences(before, after), covered }
}
