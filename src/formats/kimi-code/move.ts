// The line to append so that Kimi Code continues from an entry: one that begins a branch at the entry's own line.
import { NONE } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import { MAIN } from "./place.ts"
import type { WireBranches } from "./wire-branches.ts"

export interface KimiCodeWire {
  agent: string
  branches: WireBranches
  /** The number of the last line. */
  last: number
  /** Some line is not JSON. */
  unreadable: boolean
}

export function kimiCodeMove(
  { to, operation, torn }: MoveAsked,
  { agent, branches, last, unreadable }: KimiCodeWire,
): AppendedMove {
  if (agent !== MAIN) return SUB_AGENT
  if (torn || unreadable) return UNREADABLE
  if (to === NONE) return NO_BEGINNING
  const base = branches.placeOf(to, last)
  if (base === undefined) return WITHIN
  const line = {
    type: "agent.switched",
    agentId: agent,
    branch: branches.nextName(),
    reason: "retcon",
    base,
    time: Date.parse(operation.at),
    retcon: { operation: operation.id },
  } satisfies JsonObject
  return { ok: true, source: 0, lines: [JSON.stringify(line)], lands: to }
}

const SUB_AGENT: AppendedMove = {
  ok: false,
  problem: "This is a sub-agent's work, which Kimi Code does not resume.",
  advice: SPLIT_ADVICE,
}

const NO_BEGINNING: AppendedMove = {
  ok: false,
  problem: "Before its first line, this session has no model and no folder, and Kimi Code cannot resume it.",
  advice: ["Go to before the first prompt with: ", { do: "goto", entry: "@1" }],
}

/** Kimi Code removes such a line and all that follow it. */
const UNREADABLE: AppendedMove = {
  ok: false,
  problem: "A line of this session cannot be read, and Kimi Code will remove it and everything after it.",
  advice: ["Resume it in Kimi Code once, so that it does. Or start a new session from there with: ", { do: "split" }],
}

const WITHIN: AppendedMove = {
  ok: false,
  problem: "Kimi Code cannot continue from there: no line of its file ends with this entry.",
  advice: "Choose the entry before it or after it.",
}
