// What to append so that Codex continues from an entry: a rollback where that leads there, else a compaction whose replacement is
// the history up to that entry, word for word. One line of each decides, so that half of what is written means nothing.
import { isOnPath, path } from "../../history/tree/path.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import type { OperationRecord } from "../../model/record/record.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { listField, objectField, parseLine } from "../shared/json-line.ts"
import { moveMark } from "../shared/own-move.ts"
import { beginsTurn, rolledBack } from "./rollback.ts"

/** The end of the session's last file. */
export interface CodexEnd {
  source: number
  /** The number of its last line; undefined in files of older versions, which have none. */
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
    /** It stands in a turn of its own, as what a person asks for does: without one it would be a part of the turn before it. */
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
 * How many turns to roll back; undefined where a rollback leads elsewhere. Codex counts the turns in the file, so none may stand
 * before a history that was replaced. What says the model is said again by each turn.
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

/** The items of the model's history that Codex has behind a compaction. */
function itemsBehind({ history, original, to }: MoveAsked, after: Row): Json[] {
  return path(history, to, after).flatMap((row) => {
    const line = parseLine(original(row))
    return line?.type === "response_item" && line.payload !== undefined ? [line.payload] : []
  })
}

/** What a compaction replaced the history with; older versions, and a rollback into a compaction, do not say it. */
function replacementIn(line: JsonObject | undefined): Json[] | undefined {
  const payload = line?.type === "compacted" ? objectField(line, "payload") : undefined
  return payload?.replacement_history === undefined ? undefined : listField(payload, "replacement_history")
}

const NO_REPLACEMENT: AppendedMove = {
  ok: false,
  problem:
    "Codex cannot be made to continue from there: its file does not say what it compacted the history before it to.",
  advice: ["Start a new session from there with: ", { do: "split" }],
}
