// What a person reads of a copy of a path as another agent's session: the command that resumes it there, and what it cannot hold.
import { type NativeCopy, type NativeRequest, nativeCopy } from "../../app/library/native-copy.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { type EntryId, shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellCommand } from "../../model/text/sanitise.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { promptBlock } from "./moved-text.ts"

export interface NativeOptions extends NativeRequest {
  json?: boolean | undefined
}

export async function printNativeCopy(cli: Cli, source: Session, options: NativeOptions): Promise<void> {
  const { to, dryRun = false } = options
  const made: Made = { ...(await nativeCopy(cli, source, options)), cli, source, to, dryRun }
  if (options.json === true) printJson(cli.out, jsonOf(made))
  else cli.out.write(`${[...linesOf(made)].join("\n")}\n`)
}

interface Made extends NativeCopy {
  cli: Cli
  source: Session
  to: string
  dryRun: boolean
}

/** Contract (docs/cli.md). */
function jsonOf({ source, to, native, beginning, folder, id, dryRun }: Made): object {
  return {
    dryRun,
    agent: to,
    session: id ?? null,
    from: { session: source.id, entry: beginning.head },
    files: native.files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
    cwd: folder,
    resume: native.resume,
    lost: native.lost,
    prompt: beginning.prompt,
  }
}

function* linesOf(made: Made): Generator<string> {
  const { source, to, native, beginning, id, dryRun } = made
  const where = beginning.head === null ? "the empty conversation" : `the path to ${shortId(beginning.head)}`
  const named = id === undefined ? "a session" : `session ${shortId(id)}`
  const did = dryRun ? "Would create" : "Created"
  const rest = dryRun ? "Nothing was written." : `Session ${shortId(source.id)} is unchanged.`
  yield `${did} ${named} of ${agentTitle(to)} from ${where}. ${rest}`
  for (const { path } of native.files) yield `  ${sanitiseLine(path)}`
  yield* lostLines(agentTitle(to), native.lost)
  if (!dryRun) yield* resumeLines(made)
  if (beginning.prompt !== null) yield `\n${promptBlock(beginning.prompt.text)}`
}

/** How many entries are named for each thing that a format cannot express. */
const MOST_NAMED = 5

function* lostLines(title: string, lost: NativeCopy["native"]["lost"]): Generator<string> {
  if (lost.length === 0) return
  const byWhat = new Map<string, Set<EntryId>>()
  for (const { entry, what } of lost) byWhat.set(what, (byWhat.get(what) ?? new Set()).add(entry))
  yield `A ${title} session cannot hold:`
  for (const [what, entries] of byWhat) {
    const ids = [...entries].slice(0, MOST_NAMED).map(shortId)
    const more = entries.size > MOST_NAMED ? ", …" : ""
    yield `  ${sanitiseLine(what)} (${count(entries.size, "entry", "entries")}: ${ids.join(", ")}${more})`
  }
}

function* resumeLines({ cli, to, native, folder, home }: Made): Generator<string> {
  const command = sanitiseLine(shellCommand(native.resume, { needed: folder, current: cli.cwd }))
  if (home === undefined) yield `Resume it with: ${command}`
  else
    yield `Copy the contents of ${sanitiseLine(home)} into a home folder to resume it in ${agentTitle(to)}: ${command}`
}
