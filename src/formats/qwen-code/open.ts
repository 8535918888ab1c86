// An open Qwen Code session.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { firstLine, isoTime, parseLine, textField } from "../shared/json-line.ts"
import { programIn } from "../shared/program-in-folder.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, splitFrom, taskOf } from "../shared/session-header.ts"
import { metaFile, sessionIn } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { qwenSaid } from "./said.ts"
import { QwenScanner } from "./scanner.ts"

/** Matches the name of its command, or the path of its package. */
const PROGRAM = /(?:^|\/)qwen(?:\.js)?$|\/qwen-code\//

export function openQwen({ path }: SessionPlace): Opened {
  const first = firstLine(readHead(path))
  const session = first === undefined ? undefined : sessionIn(first)
  if (first === undefined || session === undefined) {
    throw new RetconError({ code: "not-a-session", path, problem: "line 1 is not one of Qwen Code" })
  }
  const { name, key, task, split } = session
  const cwd = session.cwd ?? ""
  const id = sessionIdOf("qwen-code", key)
  const from = split === undefined ? undefined : splitFrom(sessionIdOf("qwen-code", split))
  return {
    id,
    name,
    header: sessionHeader("qwen-code", {
      id,
      at: isoTime(first.timestamp),
      cwd,
      version: session.version,
      from: task === undefined ? from : taskOf(sessionIdOf("qwen-code", task)),
    }),
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink) => new QwenScanner(sink, key),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    title: task === undefined ? undefined : textField(parseLine(readHead(metaFile(path))), "description"),
    said: qwenSaid,
    saidBeside: () => [],
    holder: () => programIn({ named: PROGRAM, cwd, session: name }),
  }
}
