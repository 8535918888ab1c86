// Summaries that a Kimi Code session cannot express. Its own keep only messages that the model still had; ours may keep messages
// from before an earlier summary, which the model then no longer needs.
import type { WholePath } from "../shared/whole-path.ts"

/** The numbers of the summary steps that a later summary reaches back beyond. Without them, the later one can be written. */
export function supersededIn({ steps, stepOf }: WholePath): Set<number> {
  const found = new Set<number>()
  let from = steps.length
  for (let i = steps.length - 1; i >= 0; i--) {
    const step = steps[i]
    if (step?.type !== "compaction") continue
    const { keepFrom } = step.record
    if (i >= from) found.add(i)
    else from = Math.min(i, (keepFrom === null ? undefined : stepOf.get(keepFrom)) ?? i)
  }
  return found
}
