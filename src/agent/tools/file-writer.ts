// What tools that write one file have in common.
import type { Grant } from "../../model/grant.ts"
import { editGrants } from "../permission/grants.ts"
import type { WorkRoot } from "../port/tool.ts"

/** For `defineTool`. */
export const FILE_WRITER = {
  effect: "writes",
  paths: (input: { path: string }): string[] => [input.path],
  grants: (_: unknown, paths: readonly string[], root: WorkRoot): Grant[] => editGrants(paths, root),
  timeout: 60_000,
} as const

export function changedMeanwhile(name: string): string {
  return `${name} changed on disk after this change was approved, so nothing was written. Read it again.`
}
