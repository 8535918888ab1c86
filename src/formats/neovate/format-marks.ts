// How to recognise a file of Neovate Code among those of other agents.
import { isObject, type JsonObject } from "../../model/json.ts"
import { linesIn } from "../shared/json-line.ts"

/** How a first message begins that is longer than what was read. */
const FIRST = /^\{"parentUuid":(null|"[^"]*"),"uuid":"[^"]*","role":"(user|assistant|tool|system)"/

export function isNeovate(head: Buffer): boolean {
  return FIRST.test(head.toString("latin1", 0, 200)) || linesIn(head).some(isItsLine)
}

function isItsLine(line: JsonObject): boolean {
  if (line.type === "config") return isObject(line.config) && Array.isArray(line.config.approvalTools)
  return (
    line.type === "message" && "parentUuid" in line && typeof line.uuid === "string" && typeof line.role === "string"
  )
}
