// retcon doctor -s SESSION, for another agent's session: one line per message, with why it was classified as it was,
// and whether the session can be resumed.
import { type ExaminedForeign, openForeign, resumingOf } from "../../app/library/examine-foreign.ts"
import { type ForeignReport, reportOn } from "../../app/open/foreign-report.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { NONE } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { goneWords } from "../../model/text/gone-words.ts"
import { clip, pad, sanitiseLine, shellWord, wrap } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { jsonText, printJsonList } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { type Style, styleFor } from "../render/style.ts"
import { wrapCommand } from "../render/wrap-command.ts"

/** Undefined: it is not another agent's session. Otherwise 1 if something needs attention. */
export async function doctorForeign(cli: Cli, name: string, json: boolean): Promise<number | undefined> {
  const log = await openForeign(cli, name)
  if (log === undefined) return undefined
  try {
    const report = reportOn(log)
    const found = { log, report, resuming: await resumingOf(cli, log) }
    if (json) await printReport(cli, found)
    else await page(cli, foreignLines({ ...found, style: styleFor(cli.out), width: cli.out.width }))
    const { damaged, duplicates, orphans } = report
    return damaged.length + duplicates.length + orphans.length > 0 ? EXIT.failed : EXIT.done
  } finally {
    await log.close()
  }
}

/** Contract (docs/cli.md). */
async function printReport(cli: Cli, { log, report, resuming }: ExaminedForeign): Promise<void> {
  const { lines, ...rest } = report
  const about = { file: log.file, agent: log.agent, session: log.id, name: log.opened.name }
  const gone = {
    ...(log.gone !== undefined && { gone: log.gone }),
    ...(log.goneAs !== undefined && { goneAs: log.goneAs }),
  }
  const facts = { ...about, ...gone, ...rest, resume: resuming.command ?? null, pid: resuming.pid ?? null }
  const before = `${jsonText(facts).slice(0, -1)},"messages":`
  await printJsonList(cli.out, lines, before, "}")
}

interface ForeignView extends ExaminedForeign {
  style: Style
  width: number
}

const ORIGIN_WIDTH = 12

/** What doctor found in another agent's session, on a screen. */
function* foreignLines(view: ForeignView): Generator<string> {
  const { log, report, style, width } = view
  yield style.strong(clip(`${agentTitle(log.agent)}, session ${shortId(log.id)}: ${sanitiseLine(log.file)}`, width))
  yield* messageLines(view)
  yield ""
  for (const text of facts(view)) yield* wrap(text, width)
  yield* resumes(view)
  const bad = report.damaged.length + report.duplicates.length + report.orphans.length
  for (const text of problems(report)) yield* wrap(text, width).map(style.bad)
  if (bad === 0) yield style.good("All good.")
}

/** Line, id, parent, origin and why; quiet if it is not on the path. */
function* messageLines({ log: { history }, report: { lines }, style, width }: ForeignView): Generator<string> {
  const ids = shortIds(history)
  const short = (id: string) => {
    const row = history.rowOf(id)
    return row === NONE ? shortId(id) : ids.of(row)
  }
  const numbers = String(lines.at(-1)?.line ?? 0).length
  for (const { line, id, parent, origin, why, onPath } of lines) {
    const above = parent === null ? "" : short(parent)
    const columns = [
      pad(String(line), numbers, "left"),
      pad(short(id), ids.width, "right"),
      pad(above === "" ? "" : `< ${above}`, ids.width + 2, "right"),
      pad(origin, ORIGIN_WIDTH, "right"),
      sanitiseLine(why),
    ]
    const text = clip(columns.join("  "), width)
    yield onPath ? text : style.quiet(text)
  }
}

function* facts({ log, report, resuming }: ForeignView): Generator<string> {
  const { prompts, userMessages, branches, torn } = report
  const naive = `of ${count(userMessages.path, "message")} with the user role`
  yield `${count(prompts.path, "prompt")} on the path, ${naive}; ${prompts.all} of ${userMessages.all} in all branches.`
  if (branches.length > 0) {
    const lost = branches.reduce((sum, { messages }) => sum + messages, 0)
    const named = branches.slice(0, 5).map(({ line }) => `line ${line}`)
    const more = branches.length > named.length ? ", …" : ""
    const title = agentTitle(log.agent)
    yield `${count(branches.length, "branch", "branches")} that ${title} does not show (ending at ${named.join(", ")}${more}), with ${count(lost, "message")}.`
  }
  if (torn > 0)
    yield `Its last line is incomplete (${count(torn, "byte")}): a program is still writing it, or was killed.`
  if (resuming.pid !== undefined) yield `Process ${resuming.pid} is using it now.`
}

function* resumes({ log, report: { head }, resuming, width }: ForeignView): Generator<string> {
  const from = head === null ? "from its beginning" : `from line ${head.line}`
  if (resuming.command !== undefined) {
    yield* wrapCommand(`It resumes ${from} with:`, sanitiseLine(resuming.command.map(shellWord).join(" ")), width)
  } else if (log.gone !== undefined) {
    const unreadable = log.goneAs === "unreadable"
    const words = `It is ${goneWords(log.agent, log.gone, log.goneAs)}: this is retcon's copy. It resumes ${from}`
    if (unreadable) yield* wrap(`${words} once its file can be read again`, width)
    else yield* wrapCommand(`${words} after:`, `retcon keep --restore ${shortId(log.id)}`, width)
  } else {
    const words = `${agentTitle(log.agent)} does not look for sessions there, so it cannot resume this one. The head is at ${from.slice(5)}.`
    yield* wrap(words, width)
  }
}

function* problems({ damaged, duplicates, orphans }: ForeignReport): Generator<string> {
  if (damaged.length > 0) yield `${count(damaged.length, "line")} cannot be read: ${listed(damaged)}.`
  if (duplicates.length > 0) {
    yield `${count(duplicates.length, "line")} with the id of another line, or with an unknown shape: ${listed(duplicates)}.`
  }
  if (orphans.length > 0) {
    const at = listed(orphans.map(({ line }) => line))
    yield `${count(orphans.length, "message")} without a parent: ${at}. What came before is missing from the file.`
  }
}

const MOST_NAMED = 8

function listed(lines: readonly number[]): string {
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : ""
  return `line ${lines.slice(0, MOST_NAMED).join(", ")}${more}`
}
