// A request to the host that may throw: the error becomes a refusal, which every overlay can show.
import type { Failure } from "../../../model/failure/failure.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"

export type Refusal = { outcome: "refused"; failure: Failure }

export async function attempt<Answer>(ask: () => Promise<Answer>): Promise<Answer | Refusal> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof RetconError) return { outcome: "refused", failure: error.failure }
    const problem = error instanceof Error ? error.message : String(error)
    return { outcome: "refused", failure: { code: "invalid", problem, advice: "This is a bug in retcon." } }
  }
}
