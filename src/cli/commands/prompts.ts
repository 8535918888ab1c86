// retcon prompts: what the person asked, on the path, in order. The numbers are what `goto @N` takes.
import { prompts } from "../../history/path.ts"
import { shortIds } from "../../history/short-ids.ts"
import { entryText } from "../../model/entry-text.ts"
import { AGE_WIDTH, age } from "../../model/text/age.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, pad } from "../../model/text/width.ts"
import type { Session } from "../../session/session.ts"
import type { Cli } from "../cli.ts"
import { printJsonList } from "../print-json.ts"
import { page } from "../render/pager.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice, withChosen } from "../select.ts"

export async function run(cli: Cli, options: SessionChoice & { json?: boolean }): Promise<void> {
  await withChosen(cli, options, async (session) => {
    if (options.json === true) printJsonList(cli.out, promptsOf(session))
    else await page(cli, screen(cli, session))
  })
}

/** Contract (docs/cli.md). */
function* promptsOf(session: Session): Generator<{ id: string; text: string; at: string; round: number }> {
  const { history } = session
  for (const row of prompts(history, session.headRow)) {
    const record = history.record(row)
    const text = (record && entryText(record)) ?? ""
    yield { id: history.id(row), text, at: record?.at ?? "", round: history.round(row) }
  }
}

function* screen(cli: Cli, session: Session): Generator<string> {
  const style = styleFor(cli.out)
  const ids = shortIds(session.history)
  const digits = String(session.history.round(session.headRow)).length + 1
  let any = false
  for (const { id, text, at, round } of promptsOf(session)) {
    any = true
    const number = pad(`@${round}`, digits, "left")
    const short = pad(ids.of(session.history.rowOf(id)), ids.width)
    const when = pad(age(at, cli.now()), AGE_WIDTH, "left")
    const room = cli.out.width - digits - ids.width - AGE_WIDTH - 6
    yield `${style.strong(number)}  ${style.id(short)}  ${style.quiet(when)}  ${clip(sanitiseLine(text), room)}`
  }
  if (!any) yield style.quiet("There is no prompt on the path.")
}
