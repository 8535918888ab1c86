// /compact: stops a running turn first, unless there is nothing to compact.
import { agentTitle } from "../../model/agent-title.ts"
import type { Advice, Failure } from "../../model/failure/failure.ts"
import { shortId } from "../../model/id.ts"
import type { CompactAnswer } from "../../protocol/host.ts"
import type { Compacted } from "../../runner/compaction/compaction.ts"
import type { TurnDeps } from "../../runner/port/turn-deps.ts"
import type { SessionLog } from "../../store/port.ts"
import type { Running } from "../turn/running.ts"
import { STOP_FOR_MOVE } from "./stop-then-move.ts"

/** Asks no model for a summary of a session that cannot be written to. */
export async function compactSession(
  { agent, id }: Pick<SessionLog, "agent" | "id">,
  running: Running,
  turnDeps: () => Promise<TurnDeps>,
  focus: string | undefined,
): Promise<CompactAnswer> {
  if (agent !== undefined) return { outcome: "refused", failure: compactElsewhere(agent, shortId(id)) }
  const compacted = await running.during(async (signal): Promise<Compacted> => {
    const { compactNow, hasToCompact } = await import("../../runner/compaction/compaction.ts")
    await running.begun()
    if (running.active) {
      if (!hasToCompact(await turnDeps())) return { outcome: "nothing" }
      await running.stop({ ...STOP_FOR_MOVE, by: signal })
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

function compactElsewhere(agent: string, session: string): Failure {
  const title = agentTitle(agent)
  const problem = `This session belongs to ${title}, and retcon adds no messages to it.`
  const advice: Advice = [
    `Compact it in ${title}, or compact a copy of your own: `,
    { do: "split", session, to: "retcon" },
  ]
  return { code: "invalid", problem, advice }
}
