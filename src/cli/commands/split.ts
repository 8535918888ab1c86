// retcon split [ENTRY]: a new session that starts as this path. The old one is only read.
import { shortId } from "../../model/id.ts"
import { promptBlock } from "../move/moved-text.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export async function run(cli: Cli, options: SessionChoice & { entry?: string; json?: boolean }): Promise<void> {
  await withChosen(cli, options, async (source) => {
    const { session, prompt } = await source.split(options.entry, cli.made)
    const { id, head } = session
    await session.close()
    if (options.json === true) {
      printJson(cli.out, { session: id, from: { session: source.id, entry: head }, head, prompt })
      return
    }
    const short = shortId(id)
    const where = head === null ? "the empty conversation" : `the path to ${shortId(head)}`
    cli.out.write(`Created session ${short} from ${where}. Session ${shortId(source.id)} is unchanged.\n`)
    cli.out.write(`See it with: retcon show -s ${short}\n`)
    if (prompt !== null) cli.out.write(`\n${promptBlock(prompt.text)}\n`)
  })
}
