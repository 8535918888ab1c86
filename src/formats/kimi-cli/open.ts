// An open Kimi CLI session: the numbered files of earlier contexts, and the current one.
import { basename, join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Opened, SessionPlace, Source } from "../port.ts"
import { filesIn } from "../shared/folder-contents.ts"
import { isoTime, linesIn, numberField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, taskOf } from "../shared/session-header.ts"
import { CONTEXT, idOf, nameOf, partsOfPlace, titleIn, WIRE, workDirectory } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { KimiCliScanner } from "./scanner.ts"

/** Source 0 is the live file, and this many earlier ones can be distinguished: the oldest beyond that are left out. */
const MOST_EARLIER = 250

export function openKimiCli(place: SessionPlace): Opened {
  if (readHead(place.main, 1).length === 0) {
    throw new RetconError({ code: "not-a-session", path: place.path, problem: `${CONTEXT} is empty` })
  }
  const own = partsOfPlace(place)
  const id = idOf(own)
  const wire = join(own.folder, WIRE)
  const first = linesIn(readHead(wire, 4096)).find((line) => numberField(line, "timestamp") !== undefined)
  const began = isoTime((numberField(first, "timestamp") ?? 0) * 1000)
  let scanner: KimiCliScanner | undefined
  const facts = {
    timeOf: (row: number) => scanner?.timeOf(row),
    typedAs: (row: number) => scanner?.typedAs(row),
    usageOf: (row: number) => scanner?.usageOf(row),
  }
  return {
    id,
    name: nameOf(own),
    title: titleIn(readHead(join(own.folder, "state.json"))),
    header: sessionHeader("kimi-cli", {
      id,
      at: began,
      cwd: workDirectory(readHead(join(own.root, "kimi.json")), own.group),
      from: own.agent === undefined ? undefined : taskOf(idOf({ session: own.session, agent: undefined })),
    }),
    sources: () => sourcesOf(own.folder, place.main),
    scanner: (sink, state) => {
      scanner = new KimiCliScanner(sink, wire, own.agent !== undefined, state)
      return scanner
    },
    record: (row, _, reading) => readRecord(row, reading, facts, began),
    why: (row, bytes) => why(row, bytes, facts),
    // Kimi CLI leaves no trace of which process is working in a session.
    holder: () => "unknown",
  }
}

function sourcesOf(folder: string, live: string): Source[] {
  const earlier: Source[] = []
  for (const file of filesIn(folder, ".jsonl")) {
    const number = Number(/^context_([1-9]\d{0,4})\.jsonl$/.exec(basename(file))?.[1] ?? 0)
    if (number > 0) earlier.push({ number, file, how: "rewritten" })
  }
  earlier.sort((a, b) => a.number - b.number)
  const told = earlier.slice(-MOST_EARLIER)
  for (const source of told) source.number = ((source.number - 1) % MOST_EARLIER) + 1
  return [...told, { number: 0, file: live, how: "rewritten" }]
}
