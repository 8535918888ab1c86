// retcon doctor -s SESSION, for another agent's session: one line per message, with why it was classified as it was,
// and whether the session can be resumed.
import { resolve } from "node:path"
import { type ForeignReport, reportOn } from "../../app/library/foreign-report.ts"
import { idNamed, isPath } from "../../app/library/named-session.ts"
import { isOurs } from "../../foreign/any-store.ts"
import type { ForeignLog } from "../../foreign/log/foreign-log.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { jsonText, printJsonList } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { styleFor } from "../render/style.ts"
import { foreignLines, type Resuming } from "./foreign-lines.ts"

/** Undefined: it is not another agent's session. Otherwise 1 if something needs attention. */
export async function doctorForeign(cli: Cli, name: string, json: boolean): Promise<number | undefined> {
  const log = await openForeign(cli, name)
  if (log === undefined) return undefined
  try {
    const report = reportOn(log)
    const resuming = await resumingOf(cli, log)
    if (json) await printReport(cli, log, report, resuming)
    else await page(cli, foreignLines({ log, report, resuming, style: styleFor(cli.out), width: cli.out.width }))
    const { damaged, duplicates, orphans } = report
    return damaged.length + duplicates.length + orphans.length > 0 ? EXIT.failed : EXIT.done
  } finally {
    await log.close()
  }
}

async function openForeign(cli: Cli, name: string): Promise<ForeignLog | undefined> {
  if (!isPath(name)) {
    const id = await idNamed(cli, name)
    return cli.store.fileOf(id) === undefined ? cli.store.foreign.open(id) : undefined
  }
  const file = resolve(cli.cwd, name)
  if (isOurs(file)) return undefined
  try {
    return await cli.store.foreign.openPath(file)
  } catch (error) {
    // The doctor for our own sessions reports what cannot be opened.
    if (error instanceof RetconError) return undefined
    throw error
  }
}

/** Where its agent would find it, and who is working on it. */
async function resumingOf(cli: Cli, log: ForeignLog): Promise<Resuming> {
  const holder = log.opened.holder()
  const pid = holder === undefined || holder === "unknown" ? undefined : holder.pid
  const busy = pid === undefined ? {} : { pid }
  const found = log.gone === undefined ? await cli.store.foreign.find(log.id) : undefined
  if (found === undefined) return { ...busy }
  return { ...busy, command: found.format.resume(found.place, log.opened.name) }
}

/** Contract (docs/cli.md). */
async function printReport(cli: Cli, log: ForeignLog, report: ForeignReport, resuming: Resuming): Promise<void> {
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
