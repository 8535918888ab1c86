// What a person is told, when they leave, about text that they typed and did not send.
import { count } from "../../model/text/amounts.ts"
import { clip, sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Unsent } from "../../protocol/host.ts"

const MOST = 60

/** If it was kept: its beginning, to identify it. If not: all of it, since it is nowhere else. */
export function unsentWords({ draft, problem }: Unsent): string {
  if (problem !== undefined) return `Not sent, and it could not be kept (${problem}):\n${sanitise(draft.text)}`
  const [first = "", ...rest] = (draft.display ?? draft.text).split("\n")
  const more = rest.length === 0 ? "" : ` and ${count(rest.length, "more line")}`
  return `Not sent, and kept for when you continue: ${clip(sanitiseLine(first), MOST)}${more}.`
}
