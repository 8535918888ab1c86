// retcon archive [ID]: hides a session from lists, without removing it.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { namedOnce, type SessionChoice, withChosen } from "../sessions/select.ts"

interface ArchiveOptions extends SessionChoice {
  id?: string
  undo?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ArchiveOptions): Promise<void> {
  const named = namedOnce(options)
  const choice = options.undo === true && named.session === undefined ? await lastArchived(cli) : named
  await withChosen(cli, { ...choice, named: true }, async (session) => {
    const archived = options.undo !== true
    const before = session.config().get("archived") === true
    if (before !== archived) await session.configure("archived", archived)
    const short = shortId(session.id)
    if (options.json === true) printJson(cli.out, { session: session.id, archived })
    else if (before === archived)
      cli.out.write(`Session ${short} is ${archived ? "already archived" : "not archived"}.\n`)
    else if (archived) cli.out.write(`Archived session ${short}. Undo this with: retcon archive --undo ${short}\n`)
    else cli.out.write(`Session ${short} is listed again.\n`)
  })
}

/** The session archived last here: the default if none is named. */
async function lastArchived(cli: Cli): Promise<SessionChoice> {
  const last = (await cli.store.list({ cwd: cli.cwd })).find(({ archived }) => archived)
  if (last !== undefined) return { session: last.id }
  throw new RetconError({
    code: "invalid",
    problem: "No session in this folder is archived.",
    advice: ["See those in all folders with: ", { do: "sessions" }],
  })
}
