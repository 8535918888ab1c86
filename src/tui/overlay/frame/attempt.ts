// A request to the host that may throw: the error becomes a refusal, which every overlay can show.
import type { Failure } from "../../../model/failure/failure.ts"
import { failureOf } from "../../../model/failure/system-failure.ts"

export type Refusal = { outcome: "refused"; failure: Failure }

export async function attempt<Answer>(ask: () => Promise<Answer>): Promise<Answer | Refusal> {
  try {
    return await ask()
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== undefined) return { outcome: "refused", failure }
    const problem = error instanceof Error ? error.message : String(error)
    return { outcome: "refused", failure: { code: "invalid", problem, advice: "This is a bug in retcon." } }
  }
}
