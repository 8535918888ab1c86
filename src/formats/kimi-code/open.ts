// An open Kimi Code session.
import { dirname, join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { LineHookNames, Opened, SessionPlace } from "../port.ts"
import { firstLine, isoTime, linesIn, objectField, textField } from "../shared/json-line.ts"
import type { ReadBlob } from "../shared/kimi-parts.ts"
import { programIn } from "../shared/program-in-folder.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader } from "../shared/session-header.ts"
import { kimiFileHistory } from "./file-history.ts"
import { agentOf, headerIn, idOf, MAIN, nameOf, readState, stateFile } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { KimiCodeScanner } from "./scanner.ts"

/** The path of its package, the name of its command, or its process title. */
const PROGRAM = /(?:^|\/)kimi(?:-code)?$|\/kimi-code\//

/** Larger blobs are not shown. */
const LARGEST_BLOB = 32 * 1024 * 1024

export function openKimiCode(place: SessionPlace): Opened {
  const head = readHead(place.main, 4096)
  if (firstLine(head) === undefined) {
    throw new RetconError({ code: "not-a-session", path: place.path, problem: "line 1 is not JSON of Kimi Code" })
  }
  const header = headerIn(head)
  const agent = agentOf(place)
  const state = readState(readHead(stateFile(agent)))
  const id = idOf(agent)
  return {
    id,
    name: nameOf(agent),
    title: agent.agent === MAIN ? state.title : undefined,
    header: sessionHeader("kimi-code", {
      id,
      at: isoTime(header?.created_at ?? state.created),
      cwd: state.cwd,
      version: textField(header, "protocol_version"),
      ...fromOf(agent, state),
    }),
    sources: () => [{ number: 0, file: place.main, how: "grows" }],
    scanner: (sink, known) => new KimiCodeScanner(sink, agent.agent, known),
    record: (row, bytes, reading) => readRecord(row, bytes, reading, blobsOf(dirname(place.main))),
    why: (_, bytes) => why(bytes),
    hookNames: kimiCalls,
    unhooked: true,
    holder: () => programIn({ named: PROGRAM, cwd: state.cwd ?? "", session: agent.session }),
    fileHistory: () => kimiFileHistory(place.main, state.cwd ?? "/"),
  }
}

function fromOf({ session, agent }: ReturnType<typeof agentOf>, state: ReturnType<typeof readState>) {
  if (agent !== MAIN) {
    const parent = idOf({ session, agent: state.parentOf(agent) ?? MAIN })
    return { from: { session: parent, entry: null, as: "task" as const } }
  }
  if (state.forkedFrom === undefined) return {}
  return { from: { session: idOf({ session: state.forkedFrom, agent: MAIN }), entry: null, as: "split" as const } }
}

/** Checks that `hash` is hex digits, because it becomes a file name. */
function blobsOf(folder: string): ReadBlob {
  return (hash) => {
    const bytes = readHead(join(folder, "blobs", hash), LARGEST_BLOB + 1)
    return bytes.length === 0 || bytes.length > LARGEST_BLOB ? undefined : bytes
  }
}

const CALL = '"tool.call"'

/** An answer is on several lines. */
function kimiCalls(bytes: Buffer): LineHookNames | undefined {
  if (!bytes.includes(CALL)) return undefined
  const events = linesIn(bytes, [CALL]).map((line) => objectField(line, "event"))
  const calls = events.filter((event) => textField(event, "type") === "tool.call")
  return { calls: calls.map((event) => textField(event, "toolCallId") ?? "") }
}
