// Makes the wanted files and folders fit together: parents exist, nothing is in the way, spellings do not collide.
import type { Conflict } from "../../model/move/file-outcomes.ts"
import { foldersAbove } from "../file-path.ts"
import type { FileState } from "../port.ts"
import type { Now } from "./plan-input.ts"

/** Folders still in use are kept, missing ones are created, and a file where a folder must be is a conflict. */
export function fitTogether(now: Now, wanted: Map<string, FileState | undefined>, conflicts: Conflict[]): void {
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
export function keepSpelling(now: Now, wanted: Map<string, FileState | undefined>): string[] {
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
