// retcon label ENTRY [NAME]: a name for an entry, to go to it by.
import { type EntryId, shortId } from "../../model/id.ts"
import { labelName } from "../../model/record/label-name.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

interface LabelOptions extends SessionChoice {
  entry: string
  name?: string
  remove?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: LabelOptions): Promise<void> {
  const { name } = options
  if (options.remove === true && name !== undefined) {
    throw new UsageError("--remove takes no name.", "Use: retcon label ENTRY --remove")
  }
  if (name !== undefined && name.trim() === "") {
    throw new UsageError("A name cannot be empty.", "Remove a name with: retcon label ENTRY --remove")
  }
  await withChosen(cli, options, async (session) => {
    const entry = session.resolve(options.entry)
    const before = session.labels().get(entry) ?? null
    const after = options.remove === true ? null : name === undefined ? before : labelName(name)
    const from = [...session.labels()].find(([other, label]) => label === after && other !== entry)?.[0] ?? null
    if (after !== before || from !== null) await session.label(entry, options.remove === true ? "" : (name ?? ""))
    if (options.json === true) printJson(cli.out, { entry, label: after, before, from })
    else cli.out.write(`${words(shortId(entry), before, after)}${taken(from)}\n`)
  })
}

function taken(from: EntryId | null): string {
  return from === null ? "" : ` The name used to belong to ${shortId(from)}.`
}

function words(entry: string, before: string | null, after: string | null): string {
  const [old, now] = [before, after].map((name) => (name === null ? null : `"${sanitiseLine(name)}"`))
  if (old === now) return now === null ? `${entry} has no name.` : `${entry} is called ${now}.`
  if (now === null) return `${entry} is no longer called ${old}.`
  return old === null ? `${entry} is now called ${now}.` : `${entry} is now called ${now}, not ${old}.`
}
