// retcon title [TEXT]: what a session is called in lists.
import { RetconError } from "../../model/failure.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../cli.ts"
import { printJson } from "../print-json.ts"
import { titleOf } from "../render/heading.ts"
import { type SessionChoice, withChosen } from "../select.ts"

const LONGEST = 200

/** An empty text takes the title away; a session without one is called by its first prompt. */
export async function run(cli: Cli, options: SessionChoice & { text?: string; json?: boolean }): Promise<void> {
  const title = options.text === undefined ? undefined : sanitiseLine(options.text)
  if (title !== undefined && title.length > LONGEST) {
    throw new RetconError({ code: "invalid", problem: `A title has at most ${LONGEST} characters.`, hint: "Cut it." })
  }
  await withChosen(cli, options, async (session) => {
    if (title !== undefined) await session.configure("title", title === "" ? null : title)
    const shown = titleOf(session.history)
    if (options.json === true) printJson(cli.out, { session: session.id, title: shown })
    else cli.out.write(`${shown}\n`)
  })
}
