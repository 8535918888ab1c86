// An open Klaude Code session.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { firstLine, isoTime, objectField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, taskOf } from "../shared/session-header.ts"
import { idOf, metaFile, nameOf, readMeta } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { KlaudeScanner } from "./scanner.ts"

export function openKlaude(place: SessionPlace): Opened {
  const head = readHead(place.main)
  if (head.length === 0) throw new RetconError({ code: "not-a-session", path: place.path, problem: "it has no events" })
  const name = nameOf(place)
  const meta = readMeta(readHead(metaFile(place), 1024 * 1024))
  const isTask = meta.parent !== undefined
  const id = idOf(name)
  return {
    id,
    name,
    title: meta.title,
    header: sessionHeader("klaude-code", {
      id,
      at: isoTime(meta.created ?? objectField(firstLine(head), "data")?.created_at),
      cwd: meta.cwd,
      from: meta.parent === undefined ? undefined : taskOf(idOf(meta.parent)),
    }),
    sources: () => [{ number: 0, file: place.main, how: "grows" }],
    scanner: (sink, state) => new KlaudeScanner(sink, { name, isTask }, state),
    record: (row, bytes, reading) => readRecord(row, bytes, reading, isTask),
    why: (_, bytes) => why(bytes, isTask),
    // One server works in all sessions, and does not say in which.
    holder: () => "unknown",
  }
}
