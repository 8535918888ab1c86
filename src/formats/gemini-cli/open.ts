// An open Gemini CLI session.
import { dirname, join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { isoTime, textField } from "../shared/json-line.ts"
import { programIn } from "../shared/program-in-folder.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, taskOf } from "../shared/session-header.ts"
import { geminiHookCall, geminiHookNames } from "./hook-names.ts"
import { documentLines, isDocument } from "./legacy.ts"
import { askedBy, contextIn, cwdOf, headerIn, rootFile } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { geminiSaid, geminiSaidBeside } from "./said.ts"
import { GeminiScanner } from "./scanner.ts"

/** Matches the name of its command, or the path of its package. */
const PROGRAM = /(?:^|\/)gemini(?:\.js)?$|\/gemini-cli\//

export function openGemini({ path }: SessionPlace): Opened {
  const document = isDocument(path)
  const head = document ? documentLines(path) : readHead(path)
  const header = headerIn(head)
  if (header === undefined) {
    throw new RetconError({ code: "not-a-session", path, problem: "line 1 is not a Gemini CLI header" })
  }
  const name = textField(header, "sessionId") as string
  const id = sessionIdOf("gemini-cli", name)
  const task = header.kind === "subagent"
  const asker = task ? askedBy(path) : undefined
  const cwd = cwdOf(header, readHead(rootFile(path), 4096), contextIn(head)) ?? ""
  return {
    id,
    name,
    header: sessionHeader("gemini-cli", {
      id,
      at: isoTime(header.startTime),
      cwd,
      from: asker === undefined ? undefined : taskOf(sessionIdOf("gemini-cli", asker)),
    }),
    sources: () => [
      document
        ? { number: 0, file: path, how: "rewritten", load: () => documentLines(path) }
        : { number: 0, file: path, how: "whole" },
    ],
    scanner: (sink, state) => new GeminiScanner(sink, { name, task, document }, state),
    record: readRecord,
    why,
    said: geminiSaid,
    saidBeside: (since) => geminiSaidBeside(join(dirname(path), name), since),
    hookNames: geminiHookNames,
    hookCall: geminiHookCall,
    holder: () => programIn({ named: PROGRAM, cwd, session: name }),
  }
}
