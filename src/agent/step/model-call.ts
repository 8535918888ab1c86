// One call of the model: passes its events on, and returns its end as a value. Ends at once when the signal aborts.
import type { Part, Usage } from "../../model/record/record.ts"
import type { FinishReason, Model, ModelEvent, ModelProblem, StepRequest } from "../../provider/port/port.ts"
import type { Emit } from "./step-events.ts"

export type Answered =
  | {
      outcome: "answered"
      content: Part[]
      reason: FinishReason
      usage: Usage
      /** Why a call's input is not usable, by call. */
      invalid: Map<string, string>
    }
  /** `partial`: the text that came before, without unfinished calls and reasoning. */
  | { outcome: "failed"; problem: ModelProblem; partial: Part[] }

/** Contract: never rejects, whatever the model does. */
export async function callModel(model: Model, request: StepRequest, emit: Emit): Promise<Answered> {
  const invalid = new Map<string, string>()
  const texts: string[] = []
  const failed = (problem: ModelProblem): Answered => {
    const partial = texts.filter((text) => text !== "").map((text): Part => ({ type: "text", text }))
    return { outcome: "failed", problem, partial }
  }
  const aborted = () => failed({ kind: "aborted", message: "The call was stopped." })
  if (request.signal.aborted) return aborted()
  const abort = untilAborted(request.signal)
  try {
    const events = model.step(request)[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([events.next(), abort.promise])
      if (next === "aborted") {
        // Not awaited: a model that hangs must not block us.
        events.return?.().catch((error: unknown) => error)
        return aborted()
      }
      if (next.done === true) return failed({ kind: "network", message: "The answer broke off before its end." })
      const event: ModelEvent = next.value
      if (event.type === "failed") return failed(event.problem)
      if (event.type === "finish") {
        const { content, reason, usage } = event
        return { outcome: "answered", content, reason, usage, invalid }
      }
      if (event.type === "retry") texts.length = 0
      if (event.type === "text-start") texts.push("")
      if (event.type === "text-delta") texts.push((texts.pop() ?? "") + event.text)
      if (event.type === "tool-call" && event.invalid !== undefined) invalid.set(event.call, event.invalid)
      emit(event)
    }
  } catch (error) {
    return failed({ kind: "server", message: error instanceof Error ? error.message : String(error) })
  } finally {
    abort.forget()
  }
}

/** A promise that settles when the signal aborts, and a way to stop listening. */
export function untilAborted(signal: AbortSignal): { promise: Promise<"aborted">; forget(): void } {
  let listener = () => {}
  const promise = new Promise<"aborted">((settle) => {
    listener = () => settle("aborted")
    if (signal.aborted) listener()
    else signal.addEventListener("abort", listener, { once: true })
  })
  return { promise, forget: () => signal.removeEventListener("abort", listener) }
}
