// What the person reads while a failed request is retried.
import type { HostEvent } from "../../protocol/event.ts"

/** A provider's message may end without a full stop. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** `before`: why the previous attempt failed. The same problem is not repeated in full. */
export function retryWords(
  { attempt, problem, waitMs }: Extract<HostEvent, { type: "retry" }>,
  before: string,
): string {
  const said = attempt > 1 && problem === before ? "The same problem again." : sentence(problem)
  return `${said} Trying again in ${Math.max(1, Math.round(waitMs / 1000))} s.`
}
