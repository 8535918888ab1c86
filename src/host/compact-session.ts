// /compact: a turn that runs is stopped for it, unless there is nothing to compact.
import type { Advice } from "../model/failure/advice.ts"
import type { CompactAnswer } from "../protocol/host.ts"
import { type Compacted, compactNow, hasToCompact } from "../runner/compaction.ts"
import type { TurnDeps } from "../runner/turn-deps.ts"
import { MAKE_WAY } from "./make-way.ts"
import type { Running } from "./running.ts"

export async function compactSession(
  running: Running,
  turnDeps: () => Promise<TurnDeps>,
  focus: string | undefined,
): Promise<CompactAnswer> {
  const compacted = await running.during(async (signal): Promise<Compacted> => {
    await running.begun()
    if (running.active) {
      if (!hasToCompact(await turnDeps())) return { outcome: "nothing" }
      await running.stop({ ...MAKE_WAY, by: signal })
    }
    const wish = { cause: "person" as const, ...(focus === undefined ? {} : { focus }) }
    return compactNow(await turnDeps(), wish, signal)
  })
  if (compacted.outcome === "compacted") {
    const { result, messages, missing } = compacted
    return { outcome: "compacted", entry: result.entry, messages, missing }
  }
  if (compacted.outcome === "nothing") return { outcome: "refused", failure: { code: "nothing-to-compact" } }
  const advice: Advice = ["Try again, or choose another model with ", { do: "model" }, "."]
  return {
    outcome: "refused",
    failure: { code: "invalid", problem: `The conversation was not compacted: ${compacted.problem}`, advice },
  }
}
