// The workspace's figures: snapshots against `git status` in the same tree, restores also against writing the
// files, merges against git's.
import { join } from "node:path"
import type { Bench } from "../group.ts"
import type { Measured } from "../timing.ts"
import { makeTree } from "./make-tree.ts"
import type { MergeGiven } from "./measure/merge.ts"
import type { SnapshotsGiven } from "./measure/snapshots.ts"

/** What is measured, by the name for `--only`. */
const FIGURES = [
  { name: "first", figure: "first snapshot of a git project", limit: 15 },
  { name: "first-without", figure: "first snapshot without git", limit: 80 },
  { name: "nothing", figure: "snapshot, nothing changed", limit: 1.5 },
  { name: "known", figure: "snapshot, one file changed, path known", limit: 0.2 },
  { name: "command", figure: "snapshot, one file changed by a command", limit: 1.8 },
  { name: "restore-1", figure: "restore of 1 file, safety snapshot included", limit: 2.5 },
  { name: "restore-100", figure: "restore of 100 files, safety snapshot included", limit: 2.5 },
] as const

export type FigureName = (typeof FIGURES)[number]["name"]

/** Against `git merge-file`, in a process that has merged before. */
async function merges(bench: Bench): Promise<void> {
  if (!bench.wants("merge")) return
  const given: MergeGiven = { folder: join(bench.folder, "merge"), lines: 20_000, edits: 200 }
  const found = await bench.measure<Measured>("workspace/measure/merge", given)
  bench.report({ figure: "merge, 200 edits a side", data: "20,000 lines", ...found, unit: "ms", limit: 3 })
}

export async function workspace(bench: Bench): Promise<void> {
  await merges(bench)
  for (const files of bench.large ? [10_000, 100_000] : [10_000]) {
    const folder = join(bench.folder, `files-${files}`)
    const root = join(folder, "work")
    makeTree(root, files)
    for (const { name, ...row } of FIGURES) {
      if (!bench.wants(name)) continue
      const given: SnapshotsGiven = { folder: join(folder, name), root, name, large: files > 10_000 }
      const found = await bench.measure<Measured>("workspace/measure/snapshots", given)
      bench.report({ ...row, data: `${files.toLocaleString("en")} files`, ...found, unit: "ms" })
    }
  }
}
