// retcon ops: what happened in a session, newest first, and what undo and redo would do now.
import { cutOffLines } from "../../app/protection/protection.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { type ShortIds, shortIds } from "../../history/tree/short-ids.ts"
import { entryId, type History, NONE } from "../../history/tree/tree.ts"
import { type Unit, units, unitWords } from "../../history/words/units.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { AGE_WIDTH, age } from "../../model/text/amounts.ts"
import { clip, pad, sanitiseLine, widthOf, wrap } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"
import { printJsonList } from "../port/print-json.ts"
import { heading } from "../render/heading.ts"
import { page } from "../render/pager.ts"
import { type Style, styleFor } from "../render/style.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export async function run(cli: Cli, options: SessionChoice & { json?: boolean; limit?: number }): Promise<void> {
  await withChosen(cli, { ...options, named: true }, async (session) => {
    if (options.json === true) await printJsonList(cli.out, jsonUnits(session, options.limit))
    else await page(cli, screen(cli, session, options.limit))
  })
}

/** Contract: looks no further back than the last one that is wanted. */
function* newest(history: History, limit = Number.POSITIVE_INFINITY): Generator<Unit> {
  let left = limit
  for (const unit of units(history)) {
    yield unit
    if (--left <= 0) return
  }
}

/** Contract (docs/cli.md). */
function* jsonUnits(session: Session, limit?: number): Generator<object> {
  const { history } = session
  for (const unit of newest(history, limit)) {
    const { at, kind, by, text } = unitWords(session.history, unit)
    const [from, to] = [entryId(history, unit.from), entryId(history, unit.to)]
    const { type, undone } = unit
    const next = canMove(session) ? unit.next : undefined
    const fixed = { id: history.id(unit.row), type, kind, by, at, from, to, undone, next: next ?? null }
    yield text === "" ? fixed : { ...fixed, text }
  }
}

function* screen(cli: Cli, session: Session, limit?: number): Generator<string> {
  const style = styleFor(cli.out)
  const ids = shortIds(session.history)
  yield* heading(session, style, cli.out.width)
  yield* cutOffLines(cli, directoryOf(session.log)).flatMap((line) => wrap(line, cli.out.width))
  let any = false
  for (const unit of newest(session.history, limit)) {
    yield drawUnit(cli, session, unit, ids, style).trimEnd()
    any = true
  }
  if (!any) yield style.quiet("Nothing has been done yet.")
  else if (!canMove(session)) yield* cannotMove(session, cli.out.width).map(style.quiet)
}

/** Whether undo and redo can do anything. */
function canMove({ log }: Session): boolean {
  return log.followsMoves !== false
}

function cannotMove({ id, log: { agent = "", gone } }: Session, width: number): string[] {
  const why = gone === undefined ? `${agentTitle(agent)} does not follow retcon's moves` : "This is a copy"
  return wrap(`${why}: go back in a copy with: retcon split ENTRY -s ${shortId(id)} --to retcon`, width)
}

const BY: Readonly<Record<string, string>> = { person: "you", agent: "agent", api: "api" }

function drawUnit(cli: Cli, session: Session, unit: Unit, ids: ShortIds, style: Style): string {
  const words = unitWords(session.history, unit)
  const when = pad(age(words.at, cli.now()), AGE_WIDTH, "left")
  const who = pad(BY[words.by] ?? sanitiseLine(words.by), 5)
  const what = pad(sanitiseLine(words.kind), 9)
  const name = (row: number) => (row === NONE ? "start" : ids.of(row))
  const move = `${name(unit.from)} → ${name(unit.to)}`
  const next = canMove(session) ? unit.next : undefined
  const mark = next === undefined ? (unit.undone ? "undone" : "") : `← ${next}`
  const room = cli.out.width - AGE_WIDTH - 5 - 9 - 2 * ids.width - 3 - 8 - (mark === "" ? 0 : mark.length + 2)
  const painted = next === undefined ? style.quiet(mark) : style.head(mark)
  if (room < 0) return `${clip(`${when}  ${what}  ${move}`, cli.out.width - mark.length - 2)}  ${painted}`
  const text = clip(sanitiseLine(words.text), room)
  const padded = pad(move, 2 * ids.width + 3)
  const line = `${what}  ${padded}  ${text}`
  const body = unit.undone ? style.quiet(line) : line
  const space = " ".repeat(Math.max(0, room - widthOf(text)) + 2)
  return `${style.quiet(when)}  ${who}  ${body}${mark === "" ? "" : space + painted}`
}
