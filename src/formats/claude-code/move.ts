// The line that makes Claude Code continue from an entry: a checkpoint of the kind that it writes itself, with a field of ours.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { parseLine, textField } from "../shared/json-line.ts"
import type { Head } from "./head.ts"

/** Older versions look at no checkpoint. */
const FIRST_VERSION = [2, 1, 120]

export function claudeMove({ history, read, to, operation }: MoveAsked, head: Head, session: string): AppendedMove {
  const version = textField(head.last === NONE ? undefined : parseLine(read(head.last)), "version")
  if (version !== undefined && isBefore(version, FIRST_VERSION)) return TOO_OLD
  if (to !== NONE && history.headAfter(to) !== to) return ASIDE
  if (to !== NONE && head.boundary !== NONE && to < head.boundary) return COMPACTED
  const lands = hasSpoken(to) ? to : NONE
  const leafUuid = lands === NONE ? null : textField(parseLine(read(lands)), "uuid")
  if (leafUuid === undefined) return ASIDE
  const line = {
    type: "last-prompt",
    leafUuid,
    explicit: true,
    sessionId: session,
    retcon: { operation: operation.id },
  } satisfies JsonObject
  return { ok: true, source: 0, lines: [JSON.stringify(line)], lands }

  /** Claude Code takes no checkpoint on what stands before the first message, such as a hook's: it has one for the beginning. */
  function hasSpoken(from: Row): boolean {
    for (let row = from; row !== NONE; row = history.parent(row)) {
      const type = textField(parseLine(read(row)), "type")
      if (type === "user" || type === "assistant") return true
    }
    return false
  }
}

const SPLIT = ["Start a new session from there with: ", { do: "split" }] as const

const TOO_OLD: AppendedMove = {
  ok: false,
  problem: "This session was last used with a Claude Code before 2.1.120, which cannot be made to go back.",
  advice: ["Update Claude Code and resume the session there once. ", ...SPLIT],
}

const ASIDE: AppendedMove = {
  ok: false,
  problem: "Claude Code cannot continue from there: it stands beside the conversation.",
  advice: "Choose a message of the conversation.",
}

const COMPACTED: AppendedMove = {
  ok: false,
  problem: "Claude Code no longer loads what stands before its last compaction.",
  advice: SPLIT,
}

function isBefore(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(".").map((part) => Number.parseInt(part, 10))
  for (const [i, number] of wanted.entries()) {
    const part = parts[i] ?? 0
    if (part !== number) return part < number
  }
  return false
}
