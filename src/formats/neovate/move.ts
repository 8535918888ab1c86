// The line to append so that Neovate Code continues from a message: a copy of it with a new id, in the same place in the tree.
// Neovate continues from the last message of the file.
import { NONE } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { listField, parseLine, textField } from "../shared/json-line.ts"
import { moveMark } from "../shared/own-move.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import { authorOf } from "./message.ts"

/** `unreadable`: some line is not JSON. */
export function neovateMove(request: MoveAsked, unreadable: boolean): AppendedMove {
  const { history, to, read, operation, torn } = request
  if (torn || unreadable) return UNREADABLE
  if (to === NONE || history.prompt(to) === NONE) return NO_BEGINNING
  const line = parseLine(read(to))
  if (line === undefined || !isEnd(line)) return NO_END
  const copy = { ...line, uuid: operation.id, retcon: moveMark(request) } satisfies JsonObject
  return { ok: true, source: 0, lines: [JSON.stringify(copy)], lands: to }
}

/** Whether a turn can end with this message: no answer and no result is pending. */
function isEnd(line: JsonObject): boolean {
  const said = authorOf(line)
  if (said?.role === "user") return said.origin === "interrupt"
  return (
    said?.role === "assistant" && !listField(line, "content").some((part) => textField(part, "type") === "tool_use")
  )
}

const NO_BEGINNING: AppendedMove = {
  ok: false,
  problem: "Neovate Code continues from a message, so it cannot go back to before the first one.",
  advice: "Start a new session in Neovate Code, or go to a later point.",
}

const NO_END: AppendedMove = {
  ok: false,
  problem: "Neovate Code can only continue from where a turn ended: the last answer before a prompt.",
  advice: ["Choose such an answer. ", ...SPLIT_ADVICE],
}

const UNREADABLE: AppendedMove = {
  ok: false,
  problem: "A line of this session cannot be read, so Neovate Code does not resume it at all.",
  advice: SPLIT_ADVICE,
}
