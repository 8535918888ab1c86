// retcon log: the tree of a session as a graph.
import { cutOffLines } from "../../app/protection/protection.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { entryId, type History, type Row } from "../../history/tree/tree.ts"
import { type EntryId, shortId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { isEntry, isEntryKind } from "../../model/record/record.ts"
import { wrap } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"
import { jsonText, printJsonList } from "../port/print-json.ts"
import { heading } from "../render/heading.ts"
import { logLines } from "../render/log-lines.ts"
import { missingAbove } from "../render/missing-above.ts"
import { page } from "../render/pager.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice, type Which, withChosen } from "../sessions/select.ts"

export interface LogFlags extends SessionChoice {
  all?: boolean
  limit?: number
  json?: boolean
}

export async function run(cli: Cli, options: LogFlags): Promise<void> {
  await withChosen(cli, { ...options, named: true }, async (session, which) => {
    if (options.json === true) await writeJson(cli, session, options.limit)
    else await page(cli, screen(cli, session, { ...options, which }, await splitsOf(cli, session)))
  })
}

function* screen(
  cli: Cli,
  session: Session,
  { which, ...options }: LogFlags & { which: Which },
  splits: Map<EntryId, string[]>,
): Generator<string> {
  const { history } = session
  const style = styleFor(cli.out)
  const { width } = cli.out
  yield* heading(session, style, width)
  yield* cutOffLines(cli, directoryOf(session.log)).flatMap((line) => wrap(line, width))
  if (history.tips().length === 0) {
    yield style.quiet("The conversation is empty.")
    return
  }
  const ids = shortIds(history)
  const view = {
    history,
    head: session.headRow,
    labels: session.labels(),
    splits,
    ids,
    now: cli.now(),
    width,
    style,
    which,
  }
  const limit = options.limit === undefined ? {} : { limit: options.limit }
  yield* logLines(view, { show: options.all === true ? "all" : "path", ...limit })
  const missing = missingAbove(view, session.headRow)
  if (missing.length > 0) yield* ["", ...missing]
}

/** Sessions that were split off from this one, by the entry where they leave it. */
async function splitsOf(cli: Cli, session: Session): Promise<Map<EntryId, string[]>> {
  const splits = new Map<EntryId, string[]>()
  for (const { id, from } of await cli.store.list({ cwd: directoryOf(session.log) })) {
    if (from?.session !== session.id || from.as !== "split" || from.entry === null) continue
    splits.set(from.entry, [...(splits.get(from.entry) ?? []), shortId(id)])
  }
  return splits
}

/** Contract (docs/cli.md): head, tips, and the entries of every branch in log order; with a limit, only the last ones. */
async function writeJson(cli: Cli, session: Session, limit: number | undefined): Promise<void> {
  const { history } = session
  const tips = history.tips().map((row) => history.id(row))
  const before = `{"head":${jsonText(session.head)},"tips":${jsonText(tips)},"entries":`
  await printJsonList(cli.out, jsonEntries(history, limit), before, "}")
}

function* jsonEntries(history: History, limit: number | undefined): Generator<object> {
  for (let row = firstOfLast(history, limit); row < history.size; row++) {
    if (isEntryKind(history.kind(row))) yield jsonEntry(history, row)
  }
}

function firstOfLast(history: History, limit: number | undefined): Row {
  if (limit === undefined) return 0
  let row = history.size
  for (let left = limit; left > 0 && row > 0; ) if (isEntryKind(history.kind(--row))) left--
  return row
}

function jsonEntry(history: History, row: Row): object {
  const id = history.id(row)
  const parent = entryId(history, history.parent(row))
  const record = history.record(row)
  if (record === undefined || !isEntry(record)) return { id, parent, type: "damaged" }
  const type = record.type === "unknown-entry" ? record.was : record.type
  const text = entryText(record)
  const { at } = record
  if (record.type !== "message") return text === undefined ? { id, parent, type, at } : { id, parent, type, at, text }
  return { id, parent, type, role: record.role, origin: record.origin, at, text }
}
