// retcon split [ENTRY]: a new session that starts as this path. The old one is only read.
import { agentTitle } from "../../model/agent-title.ts"
import { shortId } from "../../model/id.ts"
import type { Session } from "../../session/session.ts"
import { promptBlock } from "../move/moved-text.ts"
import { printNativeCopy } from "../move/native-copy.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export interface SplitFlags extends SessionChoice {
  entry?: string
  /** The agent whose session it becomes; by default the same agent. */
  to?: string
  json?: boolean
}

export async function run(cli: Cli, options: SplitFlags): Promise<void> {
  await withChosen(cli, { ...options, named: true }, async (source) => {
    const wanted = options.to ?? source.log.agent ?? "retcon"
    const to = options.to ?? ((await cli.store.foreign.canCreate(wanted)) ? wanted : "retcon")
    if (to !== "retcon") return printNativeCopy(cli, source, { to, at: options.entry, json: options.json })
    await ownCopy(cli, source, options, wanted)
  })
}

/** `wanted`: the agent whose session it would be, if retcon could create sessions for it. */
async function ownCopy(cli: Cli, source: Session, { entry, json }: SplitFlags, wanted: string): Promise<void> {
  const { session, prompt } = await source.split(entry, cli.made, cli.cwd)
  const { id, head } = session
  await session.close()
  if (json === true) {
    printJson(cli.out, { agent: "retcon", session: id, from: { session: source.id, entry: head }, head, prompt })
    return
  }
  const short = shortId(id)
  const where = head === null ? "the empty conversation" : `the path to ${shortId(head)}`
  const ours = source.log.agent === undefined ? "" : " of retcon"
  cli.out.write(`Created session ${short}${ours} from ${where}. Session ${shortId(source.id)} is unchanged.\n`)
  if (wanted !== "retcon")
    cli.out.write(`retcon cannot create ${agentTitle(wanted)} sessions, so it created one of its own.\n`)
  cli.out.write(`See it with: retcon show -s ${short}\n`)
  if (source.log.agent !== undefined) cli.out.write(`Continue it with: retcon -r ${short}\n`)
  if (prompt !== null) cli.out.write(`\n${promptBlock(prompt.text)}\n`)
}
