// The line to append so that Qwen Code continues from an entry: the one that its own `/rewind` writes, whose parent is the target.
import { NONE } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { parseLine, textField } from "../shared/json-line.ts"
import { moveMark } from "../shared/own-move.ts"

export function qwenMove(request: MoveAsked): AppendedMove {
  const { history, read, to, operation } = request
  const parentUuid = to === NONE ? null : textField(parseLine(read(to)), "uuid")
  const like = parseLine(read(history.head === NONE ? 0 : history.head))
  if (parentUuid === undefined || like === undefined) return NO_ENTRY
  const { sessionId, cwd, version } = like as { [field: string]: string }
  const line = {
    uuid: operation.id,
    parentUuid,
    sessionId: sessionId ?? "",
    cwd: cwd ?? "",
    version: version ?? "",
    timestamp: operation.at,
    type: "system",
    provenance: "system",
    subtype: "rewind",
    systemPayload: { truncatedCount: 0 },
    retcon: moveMark(request),
  } satisfies JsonObject
  return { ok: true, source: 0, lines: [JSON.stringify(line)], lands: to }
}

const NO_ENTRY: AppendedMove = {
  ok: false,
  problem: "Qwen Code cannot continue from there: it has no line of its own at that point.",
  advice: "Choose the entry after it.",
}
