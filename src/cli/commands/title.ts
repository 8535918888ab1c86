// retcon title [TEXT]: the title of a session in lists.

import { titleOf } from "../../history/words/title.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { parseTitle } from "../sessions/parse-title.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

/** An empty text removes the title; a session without one is listed by its first prompt. */
export async function run(cli: Cli, options: SessionChoice & { text?: string; json?: boolean }): Promise<void> {
  const title = options.text === undefined ? undefined : parseTitle(options.text)
  await withChosen(cli, options, async (session) => {
    if (title !== undefined) await session.configure("title", title)
    const shown = titleOf(session.history)
    if (options.json === true) printJson(cli.out, { session: session.id, title: shown })
    else cli.out.write(`${shown}\n`)
  })
}
