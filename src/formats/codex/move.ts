// The lines to append so that Codex continues from an entry: a rollback if one leads there, else a compaction whose replacement is
// the verbatim history up to that entry. In each a single line decides, so that half a write has no effect.
import type { JsonObject } from "../../model/json.ts"
import type { OperationRecord } from "../../model/record/record.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { moveMark } from "../shared/own-move.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import { isRecorded, itemsAt } from "./compaction.ts"
import type { Replay } from "./replay.ts"

/** The end of the session's last file. */
export interface CodexEnd {
  source: number
  /** The number of its last line; undefined for older versions, which do not number lines. */
  ordinal: number | undefined
}

export function codexMove(request: MoveAsked, { source, ordinal }: CodexEnd, replay: Replay): AppendedMove {
  const { history, to, operation } = request
  const print = (line: JsonObject, behind = 0) => {
    const number = ordinal === undefined ? {} : { ordinal: ordinal + 1 + behind }
    return JSON.stringify({ timestamp: operation.at, ...number, ...line })
  }
  const retcon = moveMark(request)
  const back = replay.countTo(history, to)
  if (back !== undefined) {
    const payload = { type: "thread_rolled_back", num_turns: back.count }
    return { ok: true, source, lines: [print({ type: "event_msg", payload, retcon })], lands: back.lands }
  }
  if (!isRecorded(to, request)) return NO_REPLACEMENT
  return {
    ok: true,
    source,
    /** It gets its own turn, like anything a person asks for. Otherwise it would be part of the turn before it. */
    get lines() {
      const payload = { message: "", replacement_history: itemsAt(to, request) }
      return [
        print({ type: "event_msg", payload: turnEvent("task_started", operation) }),
        print({ type: "compacted", payload, retcon }, 1),
        print({ type: "event_msg", payload: turnEvent("task_complete", operation) }, 2),
      ]
    },
    lands: to,
  }
}

function turnEvent(type: "task_started" | "task_complete", { id, at }: OperationRecord): JsonObject {
  const second = Math.floor(Date.parse(at) / 1000)
  const more =
    type === "task_started"
      ? { model_context_window: null, collaboration_mode_kind: "default" }
      : { last_agent_message: null, completed_at: second, duration_ms: 0 }
  return { type, turn_id: id, root_turn_id: id, started_at: second, ...more }
}

const NO_REPLACEMENT: AppendedMove = {
  ok: false,
  problem: "Codex cannot continue from there: its file does not record what it compacted the earlier history to.",
  advice: SPLIT_ADVICE,
}
