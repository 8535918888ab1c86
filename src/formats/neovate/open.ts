// An open Neovate Code session.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { isoTime, linesIn } from "../shared/json-line.ts"
import { programIn } from "../shared/program-in-folder.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader } from "../shared/session-header.ts"
import { fileHistoryOf } from "./file-history.ts"
import { isNeovate } from "./format-marks.ts"
import { forkedFrom } from "./header.ts"
import { cwdIn, cwdTold, dataFile, fileHistoryFolder, nameOf, neovateHome } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { neovateSaid } from "./said.ts"
import { NeovateScanner } from "./scanner.ts"

/** Matches the name of its command, or the path of its package. */
const PROGRAM = /(?:^|\/)(?:neovate|neo)(?:\.m?js)?$|\/@neovate\//

export function openNeovate({ path }: SessionPlace): Opened {
  const head = readHead(path)
  if (!isNeovate(head)) {
    throw new RetconError({ code: "not-a-session", path, problem: "it has no message of Neovate Code" })
  }
  const [name, home, lines] = [nameOf(path), neovateHome(path), linesIn(head)]
  const id = sessionIdOf("neovate", name)
  const from = forkedFrom(lines)
  const data = home === undefined ? undefined : readHead(dataFile(home), 1024 * 1024)
  const cwd = cwdTold(lines, path) ?? cwdIn(data, path) ?? ""
  return {
    id,
    name,
    header: sessionHeader("neovate", {
      id,
      at: isoTime(lines.find(({ type }) => type === "message")?.timestamp),
      cwd,
      from: from && { session: sessionIdOf("neovate", from.name), entry: from.entry, as: "split" },
    }),
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink, state) => new NeovateScanner(sink, name, state),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    holder: () => programIn({ named: PROGRAM, cwd, session: name }),
    said: neovateSaid,
    ...(home !== undefined && { fileHistory: () => fileHistoryOf(path, fileHistoryFolder(home, name)) }),
  }
}
