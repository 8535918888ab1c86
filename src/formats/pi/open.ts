// An open pi session.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sessionIdOf } from "../ids.ts"
import type { LineHookNames, Opened, SessionPlace } from "../port.ts"
import { firstLine, listField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { programIn } from "../shared/program-in-folder.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, splitFrom } from "../shared/session-header.ts"
import { nameInFile, piHeader } from "./header.ts"
import { readRecord, why } from "./record.ts"
import { PiScanner } from "./scanner.ts"

/** pi sets its process title to its name; while starting, it has the path of its package. */
const PROGRAM = /(?:^|\/)pi(?:-rpc)?$|\/pi-coding-agent\//

export function openPi({ path }: SessionPlace): Opened {
  const first = firstLine(readHead(path))
  const header = first === undefined ? undefined : piHeader(first)
  if (header === undefined) throw new RetconError({ code: "not-a-session", path, problem: "line 1 is not a pi header" })
  const id = sessionIdOf("pi", header.name)
  const { forkedFrom } = header
  const from = forkedFrom === undefined ? undefined : sessionIdOf("pi", nameInFile(forkedFrom))
  return {
    id,
    name: header.name,
    header: sessionHeader("pi", {
      id,
      at: header.at,
      cwd: header.cwd,
      version: String(header.version),
      from: from && splitFrom(from),
    }),
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink, state) => new PiScanner(sink, header, state),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    hookNames: piCalls,
    unhooked: true,
    holder: () => programIn({ named: PROGRAM, cwd: header.cwd, session: header.name }),
  }
}

const CALL = Buffer.from('"toolCall"')

function piCalls(bytes: Buffer): LineHookNames | undefined {
  if (!bytes.includes(CALL)) return undefined
  const parts = listField(objectField(parseLine(bytes), "message"), "content")
  const calls = parts
    .filter((part) => textField(part, "type") === "toolCall")
    .map((part) => textField(part, "id") ?? "")
  return { calls }
}
