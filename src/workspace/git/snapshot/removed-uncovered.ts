// What snapshots leave out and someone has removed: ignored files, a repository's own folder. We cannot restore it, so
// we only report it.
import type { Outer } from "../walk/rules-around.ts"
import { lstatInside } from "./disk-state.ts"
import { type LeftOutPaths, NO_MANIFEST, type OpenWorkspace } from "./open-workspace.ts"

/** What the last look at the folder left out. */
export function leftOut(workspace: OpenWorkspace, outer: Outer): LeftOutPaths {
  const { skipped, repositories } = workspace.manifest?.value ?? NO_MANIFEST
  const own = outer.project?.top === workspace.root ? [".git"] : []
  return { skipped, repositories: new Set([...own, ...repositories.map((path) => `${path}/.git`)]) }
}

/** Contract: sorted. Costs what is no longer left out. */
export function removedSince({ root }: OpenWorkspace, before: LeftOutPaths | undefined, now: LeftOutPaths): string[] {
  if (before === undefined) return []
  const skipped =
    before.skipped === now.skipped ? [] : [...before.skipped.keys()].filter((path) => !now.skipped.has(path))
  const repositories = [...before.repositories].filter((path) => !now.repositories.has(path))
  return [...skipped, ...repositories].filter((path) => lstatInside(root, path) === undefined).sort()
}
