// A session as one JSON document, exactly as it is.
import { setImmediate } from "node:timers/promises"
import type { SeenSecrets } from "../../app/secrets/export-secrets.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { entries } from "../../history/tree/tree.ts"
import { titleOf } from "../../history/words/title.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { KIND, printPart, type StateRecord, type UnknownEntry } from "../../model/record/record.ts"
import { EXPORT_VERSION } from "../../model/record/version.ts"
import type { Session } from "../../session/session.ts"
import { lineNumberOf } from "../../store/line-number.ts"
import { lineTexts } from "../../store/line-texts.ts"
import type { Output } from "../port/cli.ts"
import { jsonText, printJsonList } from "../port/print-json.ts"

/**
 * Contract (docs/cli.md): every record of every branch in log order, with large parts filled in. What cannot be read is
 * in `damaged` with its line number, unchanged. `secrets` sees everything that is written.
 */
export async function writeJson(out: Output, session: Session, secrets: SeenSecrets): Promise<void> {
  const { history, log } = session
  const { id, at, made, from } = log.header
  const about = { id, at, cwd: directoryOf(log), made, from, title: titleOf(history) }
  const tips = history.tips().map((row) => history.id(row))
  const labels = [...session.labels()].map(([entry, name]) => ({ entry, name }))
  const head = `"head":${jsonText(session.head)},"tips":${jsonText(tips)},"labels":${jsonText(labels)}`
  out.write(`{"format":"retcon-export","version":${EXPORT_VERSION},"session":${jsonText(about)},${head},\n`)
  secrets.record({ about, labels })
  await printJsonList(out, seen(secrets, entryRecords(session)), `"entries":`, ",")
  await printJsonList(out, seen(secrets, operations(session)), `"operations":`, ",")
  await writeDamage(out, session, secrets)
}

function* seen(secrets: SeenSecrets, records: Iterable<object>): Generator<object> {
  for (const record of records) {
    secrets.record(record)
    yield record
  }
}

function* entryRecords({ history, log }: Session): Generator<object> {
  for (const row of entries(history)) {
    const record = history.record(row)
    if (record === undefined) continue
    if (record.type === "message") yield { ...record, content: record.content.map(printPart) }
    else if (record.type === "unknown-entry" && record.agent === undefined) yield asItStands(log.line(row))
    // An unknown entry of another agent becomes a state under its name there, so that what follows keeps its place.
    else if (record.type === "unknown-entry") yield stateOf(record)
    else yield record
  }
}

/** What a newer version wrote, with the fields that only it knows. */
function asItStands(line: Uint8Array): object {
  const parsed = parseJson(Buffer.from(line).toString("utf8"))
  return parsed.ok && isObject(parsed.value) ? parsed.value : {}
}

function stateOf({ id, at, parent, was, agent }: UnknownEntry): StateRecord {
  return { id, type: "state", parent, at, key: `${agent}: ${was}`, value: null }
}

function* operations({ history }: Session): Generator<object> {
  for (let row = 0; row < history.size; row++) {
    const record = history.kind(row) === KIND.operation ? history.record(row) : undefined
    if (record !== undefined) yield record
  }
}

/** Line by line and piece by piece: an unreadable line may have any length. */
async function writeDamage(out: Output, { history, log }: Session, secrets: SeenSecrets): Promise<void> {
  out.write(`"damaged":[`)
  let written = 0
  for (let row = 0; row < history.size; row++) {
    const problem = history.kind(row) === KIND.blank ? undefined : log.problem(row)
    if (problem === undefined) continue
    const about = jsonText({ line: lineNumberOf(log, row), problem })
    out.write(`${written++ === 0 ? "" : ","}\n${about.slice(0, -1)},"raw":"`)
    for (const text of secrets.texts(lineTexts(log, row))) {
      out.write(jsonText(text).slice(1, -1))
      await setImmediate()
    }
    out.write(`"}`)
  }
  out.write(`${written === 0 ? "" : "\n"}]}\n`)
}
