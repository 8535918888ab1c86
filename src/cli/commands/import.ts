// retcon import FILE: turns another program's plain messages into a session of this directory.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { importMessages, type ReadMessages, readMessages } from "../../app/library/import-messages.ts"
import { isPath } from "../../app/library/named-session.ts"
import { agentTitle } from "../../model/agent-title.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"
import { readFailure } from "../../model/failure/system-failure.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { parseTitle } from "../sessions/parse-title.ts"

/** A longer text does not safely fit into one string. */
const LIMIT = 200 * 1024 * 1024
const HINT = "Give it a JSON list of messages with role and content, or one such message per line."

export async function run(cli: Cli, options: { file: string; title?: string; json?: boolean }): Promise<void> {
  if (options.file === "") throw new UsageError("There is no file to import.", "Name one, or use - for standard input.")
  const title = options.title === undefined ? null : parseTitle(options.title)
  const read = await readFrom(cli, options.file).catch(async (error) => {
    throw (await otherAgents(cli, options.file)) ?? error
  })
  const { session, facts } = await importMessages(cli, read)
  if (options.title !== undefined) await session.configure("title", title)
  await session.close()
  const unknown = "unknown" in read ? read.unknown : []
  if (options.json === true) {
    printJson(cli.out, { session: session.id, ...facts, unknown })
    return
  }
  const short = shortId(session.id)
  const branches = facts.branches > 1 ? ` on ${facts.branches} branches` : ""
  const what = `${count(facts.messages, "message")} (${count(facts.prompts, "prompt")})${branches}`
  cli.out.write(`Imported ${what} as session ${short}.\n${unknownText(unknown)}`)
  if (facts.damaged > 0) cli.out.write(`Missing: ${count(facts.damaged, "line")} that the source could not read.\n`)
  cli.out.write(`See it with: retcon show -s ${short}\n`)
}

async function readFrom(cli: Cli, file: string): Promise<ReadMessages> {
  const name = file === "-" ? "The input" : file
  const bytes = file === "-" ? await cli.in.readAll(LIMIT) : readFile(resolve(cli.cwd, file), name)
  if (bytes === undefined) throw refused(name, "it is larger than 200 MB")
  const read = await readMessages(bytes)
  if (!read.ok) throw refused(name, read.problem, read.advice)
  return read
}

/** A session of another agent needs no import: retcon reads it where it is. */
async function otherAgents(cli: Cli, file: string): Promise<RetconError | undefined> {
  const log = file === "-" ? undefined : await cli.store.foreign.openPath(resolve(cli.cwd, file)).catch(unlessDefect)
  if (log?.agent === undefined) return undefined
  await log.close()
  const named = isPath(file) ? file : `./${file}`
  return refused(file, `it is a session of ${agentTitle(log.agent)}, which retcon reads where it is`, [
    `See it with: retcon show -s ${shellWord(named)}, or continue in a copy with: `,
    { do: "open-file", file: named },
  ])
}

function unlessDefect(error: unknown): undefined {
  if (!(error instanceof RetconError)) throw error
  return undefined
}

const MOST_NAMED = 5

type UnknownParts = Extract<ReadMessages, { unknown: unknown }>["unknown"]

/** The person must know: these are in the session, but no model will see them. */
function unknownText(unknown: UnknownParts): string {
  if (unknown.length === 0) return ""
  const named = unknown.slice(0, MOST_NAMED).map(({ at, part }) => `${at} (${sanitiseLine(part)})`)
  const more = unknown.length > MOST_NAMED ? ` and ${unknown.length - MOST_NAMED} more` : ""
  return `Kept but not recognised, so no model will see it: ${named.join(", ")}${more}.\n`
}

function refused(name: string, problem: string, advice: Advice = HINT): RetconError {
  return new RetconError({ code: "invalid", problem: `${name} cannot be imported: ${problem}.`, advice })
}

/** Contract: never blocks, not even on a pipe or a device. Undefined if it is too large. */
function readFile(path: string, name: string): Uint8Array | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (errno(error) === "ENOENT") {
      throw new RetconError({ code: "not-found", what: "file", name }, { cause: error })
    }
    throw new RetconError(readFailure(error, name), { cause: error })
  }
  try {
    const stat = fstatSync(fd)
    if (stat.isDirectory()) throw refused(name, "it is a folder")
    if (!stat.isFile()) throw refused(name, "it is not a regular file; pipe it in and use - as the name")
    return stat.size > LIMIT ? undefined : readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}
