// retcon rm --older-than 90d: every session of this directory, or of all, that has not been used for that long.
import { isTask } from "../../app/library/session-kinds.ts"
import { shortId } from "../../model/id.ts"
import { age, bytes, count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionSummary } from "../../store/port.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { parseAge } from "./parse-age.ts"

export interface OlderOptions {
  olderThan: string
  all?: boolean
  yes?: boolean
  json?: boolean
}

/** How many are named in the question. */
const MOST_NAMED = 10

/** Contract: asks first, unless told not to; if there is nobody to ask it requires --yes. A session in use stays. */
export async function removeOlder(cli: Cli, options: OlderOptions): Promise<number | undefined> {
  const before = cli.now() - parseAge(options.olderThan)
  const listed = await cli.store.list(options.all === true ? {} : { cwd: cli.cwd })
  const old = oldOnes(listed, before)
  const where = options.all === true ? "" : " in this directory"
  if (old.length > 0 && options.yes !== true) {
    if (!cli.in.isTerminal || options.json === true)
      throw new UsageError(
        `${count(old.length, "session")} would go to the trash, and there is nobody to ask.`,
        "Confirm with --yes.",
      )
    cli.out.write(
      old
        .slice(0, MOST_NAMED)
        .map((session) => `${line(cli, session)}\n`)
        .join(""),
    )
    if (old.length > MOST_NAMED) cli.out.write(`and ${old.length - MOST_NAMED} more\n`)
    const size = bytes(old.reduce((sum, session) => sum + session.bytes, 0))
    const answer = await cli.in.ask(`Move ${count(old.length, "session")} (${size}) to the trash? [y/N] `)
    if (!isYes(answer)) {
      cli.out.write("Nothing was changed.\n")
      return 1
    }
  }
  const { removed, kept } = await moveToTrash(cli, old)
  if (options.json === true) {
    printJson(cli.out, { removed: removed.map(({ id }) => id), kept: kept.map(({ id }) => id) })
    return undefined
  }
  if (old.length === 0) cli.out.write(`No session${where} is older than ${options.olderThan}.\n`)
  else
    cli.out.write(`Moved ${count(removed.length, "session")} to the trash. Restore one with: retcon rm --restore ID\n`)
  if (kept.length > 0)
    cli.out.write(`Kept, because another process is using them: ${kept.map(({ id }) => shortId(id)).join(", ")}.\n`)
  return undefined
}

/** A sub-agent's session goes with the one it worked for, and never alone. */
function oldOnes(listed: readonly SessionSummary[], before: number): SessionSummary[] {
  const byId = new Map<string, SessionSummary>(listed.map((session) => [session.id, session]))
  const isOld = (session: SessionSummary): boolean => {
    const giver = isTask(session) ? byId.get(session.from?.session ?? "") : undefined
    return giver === undefined ? Date.parse(session.updated) < before : isOld(giver)
  }
  return listed.filter(isOld)
}

async function moveToTrash(cli: Cli, old: readonly SessionSummary[]) {
  const removed: SessionSummary[] = []
  const kept: SessionSummary[] = []
  for (const session of old) {
    const log = await cli.store.open(session.id)
    const busy = log.lease.holder() !== undefined
    await log.close()
    if (!busy) await cli.store.remove(session.id)
    const list = busy ? kept : removed
    list.push(session)
  }
  return { removed, kept }
}

function line(cli: Cli, session: SessionSummary): string {
  const title = sanitiseLine(session.title) || "(no title)"
  return clip(`${shortId(session.id)}  ${age(session.updated, cli.now())}  ${title}`, cli.out.width)
}
