// retcon title [TEXT]: what a session is called in lists.
import { NONE } from "../../history/tree.ts"
import { plainText } from "../../model/part.ts"
import { prompts } from "../../history/path.ts"
import { RetconError } from "../../model/failure.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../cli.ts"
import { printJson } from "../print-json.ts"
import { sanitiseLine } from "../render/sanitise.ts"
import { type SessionChoice, withChosen } from "../select.ts"

const LONGEST = 200

export async function run(cli: Cli, options: SessionChoice & { text?: string; json?: boolean }): Promise<void> {
  const title = options.text === undefined ? undefined : sanitiseLine(options.text)
  if (title !== undefined && title.length > LONGEST) {
    throw new RetconError({ code: "invalid", problem: `A title has at most ${LONGEST} characters.`, hint: "Cut it." })
  }
  await withChosen(cli, options, async (session) => {
    if (title !== undefined) await session.configure("title", title === "" ? null : title)
    const shown = titleOf(session)
    if (options.json === true) printJson(cli.out, { session: session.id, title: shown })
    else cli.out.write(`${shown === "" ? "This session has no title yet." : sanitiseLine(shown)}\n`)
  })
}

/** Without a title of its own, a session is called by its first prompt. */
function titleOf(session: Session): string {
  const title = session.config().get("title")
  if (typeof title === "string") return title
  const [first = NONE] = prompts(session.history, session.headRow)
  const record = first === NONE ? undefined : session.history.record(first)
  return record?.type === "message" ? sanitiseLine(record.display ?? plainText(record.content)).slice(0, LONGEST) : ""
}
