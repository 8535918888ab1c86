// retcon show: the conversation on the path, what a model would be sent, or one entry in full.
import { contextAt } from "../../history/context/context.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { entryId, path, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type LogRecord, printPart } from "../../model/record/record.ts"
import type { Session } from "../../session/session.ts"
import { lineNumberOf } from "../../store/line-number.ts"
import type { Cli } from "../port/cli.ts"
import { printJson, printJsonList } from "../port/print-json.ts"
import { contextLines } from "../render/context-lines.ts"
import { conversation } from "../render/conversation.ts"
import { tellDamage } from "../render/damage-lines.ts"
import { entryLines } from "../render/entry-lines.ts"
import { heading } from "../render/heading.ts"
import { missingAbove } from "../render/missing-above.ts"
import { page } from "../render/pager.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice, type Which, withChosen } from "../sessions/select.ts"

export interface ShowFlags extends SessionChoice {
  context?: boolean
  entry?: string
  json?: boolean
}

export async function run(cli: Cli, options: ShowFlags): Promise<void> {
  const named = options.entry === undefined && options.context !== true
  await withChosen(cli, { ...options, named }, async (session, which) => {
    if (options.entry === undefined || options.context === true) tellDamage(cli, session)
    const row = options.entry === undefined ? session.headRow : session.history.rowOf(session.resolve(options.entry))
    if (options.context === true) await showContext(cli, session, row, options)
    else if (options.entry !== undefined) await showEntry(cli, session, row, options)
    else await showConversation(cli, session, row, { ...options, which })
  })
}

async function showConversation(
  cli: Cli,
  session: Session,
  head: Row,
  { json, which }: ShowFlags & { which: Which },
): Promise<void> {
  const { history } = session
  if (json === true) await printJsonList(cli.out, pathRecords(session, head))
  else await page(cli, screen())

  function* screen(): Generator<string> {
    const { width, isTerminal: wraps } = cli.out
    const style = styleFor(cli.out)
    yield* heading(session, style, width)
    if (session.head === null)
      yield style.quiet(`The conversation is empty. See all branches with: retcon log --all${which}`)
    const view = { history, ids: shortIds(history), now: cli.now(), width, wraps, style }
    const missing = missingAbove(view, head)
    if (missing.length > 0) yield* [...missing, ""]
    yield* conversation(view, head)
  }
}

/** Contract (docs/cli.md): the entries of the path in order, as the log has them, with large parts filled in. */
function* pathRecords(session: Session, head: Row): Generator<object> {
  const { history } = session
  for (const row of path(history, head)) yield printable(history.record(row)) ?? damaged(session, row)
}

function printable(record: LogRecord | undefined): object | undefined {
  return record?.type === "message" ? { ...record, content: record.content.map(printPart) } : record
}

function damaged(session: Session, row: Row): object {
  const parent = entryId(session.history, session.history.parent(row))
  return { id: session.history.id(row), type: "damaged", parent, problem: session.log.problem(row) ?? "" }
}

async function showContext(cli: Cli, session: Session, head: Row, { json }: ShowFlags): Promise<void> {
  const messages = contextAt(session.history, head)
  if (json !== true) {
    await page(cli, contextLines(messages, cli.out.width, styleFor(cli.out)))
    return
  }
  await printJsonList(
    cli.out,
    messages.map(({ role, content }) => ({ role, content: content.map(printPart) })),
  )
}

async function showEntry(cli: Cli, session: Session, row: Row, { json }: ShowFlags): Promise<void> {
  const record = session.history.record(row)
  const raw = Buffer.from(session.log.line(row)).toString("utf8")
  const line = lineNumberOf(session.log, row)
  if (json === true) {
    printJson(cli.out, { id: session.history.id(row), line, raw, entry: printable(record) ?? null })
    return
  }
  if (record === undefined) {
    const problem = session.log.problem(row) ?? "it is not a record"
    throw new RetconError({ code: "damaged", path: session.log.file ?? session.id, line, problem })
  }
  await page(cli, entryLines(record, cli.now(), styleFor(cli.out)))
}
