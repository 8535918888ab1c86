// retcon rm [ID]: to the trash, and back with --restore; --older-than AGE: all that have not been used for that long.
import { matchId } from "../../app/library/named-session.ts"
import { titleOf } from "../../history/words/title.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type SessionId, shortId } from "../../model/id.ts"
import { bringBack, trashed } from "../../store/file/folder/trash.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { removeOlder } from "../sessions/remove-older.ts"
import { namedOnce, type SessionChoice, withChosen } from "../sessions/select.ts"

/** The most sessions in the trash that are named. */
const MOST_NAMED = 20

interface RemoveOptions extends SessionChoice {
  id?: string
  olderThan?: string
  all?: boolean
  yes?: boolean
  restore?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: RemoveOptions): Promise<number | undefined> {
  const choice = namedOnce(options)
  const { olderThan } = options
  if (olderThan !== undefined) {
    if (choice.session !== undefined || options.restore === true)
      throw new UsageError("--older-than already selects the sessions.", "Use it with --all, --yes and --json only.")
    return removeOlder(cli, { ...options, olderThan })
  }
  if (options.all === true)
    throw new UsageError("--all works only with --older-than.", "Name a session, or add --older-than AGE.")
  return options.restore === true ? restore(cli, choice.session, options) : remove(cli, choice, options)
}

async function remove(cli: Cli, choice: SessionChoice, options: RemoveOptions): Promise<number | undefined> {
  const { id, agent, file, holder, title } = await withChosen(
    cli,
    { ...choice, named: true },
    async ({ id, log, history }) => {
      return { id, agent: log.agent, file: log.file, holder: log.lease.holder(), title: titleOf(history) }
    },
  )
  if (agent !== undefined) throw notOurs(id, agent)
  if (holder !== undefined) throw new RetconError({ code: "session-busy", session: id, pid: holder.pid })
  if (cli.store.fileOf(id) !== file) throw notInHome(file ?? id)
  const short = shortId(id)
  if (options.yes !== true && cli.in.isTerminal && options.json !== true) {
    const answer = await cli.in.ask(`Move session ${short} (${title}) to the trash? [y/N] `)
    if (!isYes(answer)) {
      cli.out.write("Nothing was changed.\n")
      return 1
    }
  }
  await cli.store.remove(id)
  if (options.json === true) printJson(cli.out, { session: id, removed: true })
  else cli.out.write(`Moved session ${short} to the trash. Restore it with: retcon rm --restore ${short}\n`)
  return undefined
}

function notOurs(id: SessionId, agent: string): RetconError {
  const problem = `Session ${shortId(id)} belongs to ${agentTitle(agent)}: retcon deletes only its own sessions.`
  const advice = `Hide it from lists with: retcon archive ${shortId(id)}. Name one of retcon's own with -s.`
  return new RetconError({ code: "invalid", problem, advice })
}

/** retcon does not remove files outside its home. */
function notInHome(path: string): RetconError {
  const advice = "Delete it yourself if you want it gone."
  return new RetconError({ code: "invalid", problem: `${path} is not in retcon's home folder.`, advice })
}

/** Contract: throws as `matchId` does; if there is none, the failure names those in the trash. */
function inTrash(ids: readonly SessionId[], name: string): SessionId {
  try {
    return matchId(ids, name)
  } catch (error) {
    if (!(error instanceof RetconError) || error.failure.code !== "not-found") throw error
    const possible = ids.slice(-MOST_NAMED).map(shortId)
    throw new RetconError({ ...error.failure, what: "session in the trash", possible }, { cause: error })
  }
}

function restore(cli: Cli, name: string | undefined, options: RemoveOptions): undefined {
  const ids = trashed(cli.home).map(({ id }) => id)
  if (name === undefined) {
    const shown =
      ids.length === 0 ? "The trash is empty." : `In the trash: ${ids.slice(-MOST_NAMED).map(shortId).join(", ")}.`
    throw new UsageError("--restore needs the id of a session.", shown)
  }
  const id = inTrash(ids, name)
  const file = bringBack(cli.home, id)
  if (options.json === true) printJson(cli.out, { session: id, removed: false, file })
  else cli.out.write(`Session ${shortId(id)} is back.\n`)
  return undefined
}
