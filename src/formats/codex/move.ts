// The lines to append so that Codex continues from an entry: a rollback if one leads there, else a compaction whose replacement is
// the verbatim history up to that entry. In each a single line decides, so that half a write has no effect.
import { isOnPath, path } from "../../history/tree/path.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import type { OperationRecord } from "../../model/record/record.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { listField, objectField, parseLine } from "../shared/json-line.ts"
import { moveMark } from "../shared/own-move.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import { beginsTurn, rolledBack } from "./rollback.ts"

/** The end of the session's last file. */
export interface CodexEnd {
  source: number
  /** The number of its last line; undefined for older versions, which do not number lines. */
  ordinal: number | undefined
  /** The row of our last move by a compaction, or NONE. */
  replaced: Row
}

export function codexMove(request: MoveAsked, { source, ordinal, replaced }: CodexEnd): AppendedMove {
  const { history, to, operation } = request
  const print = (line: JsonObject, behind = 0) => {
    const number = ordinal === undefined ? {} : { ordinal: ordinal + 1 + behind }
    return JSON.stringify({ timestamp: operation.at, ...number, ...line })
  }
  const retcon = moveMark(request)
  const back = rollbackTo(request, replaced)
  if (back !== undefined) {
    const payload = { type: "thread_rolled_back", num_turns: back.turns }
    return { ok: true, source, lines: [print({ type: "event_msg", payload, retcon })], lands: back.lands }
  }
  const compaction = to === NONE ? NONE : history.compaction(to)
  const before = compaction === NONE ? [] : replacementIn(parseLine(request.read(compaction)))
  if (before === undefined) return NO_REPLACEMENT
  return {
    ok: true,
    source,
    /** It gets its own turn, like anything a person asks for. Otherwise it would be part of the turn before it. */
    get lines() {
      const payload = { message: "", replacement_history: [...before, ...itemsBehind(request, compaction)] }
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

/**
 * How many turns to roll back; undefined if a rollback would lead elsewhere. Codex counts the turns in the file, so none of them
 * may come before a replaced history. Each turn records its model again, so that need not be kept.
 */
function rollbackTo({ history, to }: MoveAsked, replaced: Row): { turns: number; lands: Row } | undefined {
  const { head } = history
  if (to === NONE || !isOnPath(history, to, head)) return undefined
  const behind = path(history, head, to)
  const turns = behind.filter((row) => beginsTurn(history, row)).length
  if (turns === 0 || (replaced !== NONE && behind.some((row) => row < replaced))) return undefined
  const { to: lands, within } = rolledBack(history, head, turns)
  let at = to
  while (at !== lands && at !== NONE && history.kind(at) === KIND.state && history.system(at) !== at) {
    at = history.parent(at)
  }
  return within === 0 && at === lands ? { turns, lands } : undefined
}

/** The items of the model's history that Codex has after a compaction. */
function itemsBehind({ history, original, to }: MoveAsked, after: Row): Json[] {
  return path(history, to, after).flatMap((row) => {
    const line = parseLine(original(row))
    return line?.type === "response_item" && line.payload !== undefined ? [line.payload] : []
  })
}

/** What a compaction replaced the history with. Older versions, and a rollback into a compaction, do not record it. */
function replacementIn(line: JsonObject | undefined): Json[] | undefined {
  const payload = line?.type === "compacted" ? objectField(line, "payload") : undefined
  return payload?.replacement_history === undefined ? undefined : listField(payload, "replacement_history")
}

const NO_REPLACEMENT: AppendedMove = {
  ok: false,
  problem: "Codex cannot continue from there: its file does not record what it compacted the earlier history to.",
  advice: SPLIT_ADVICE,
}
