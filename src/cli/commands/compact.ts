// retcon compact: replaces the older part of the conversation by a summary, to make room.
import { makeHost } from "../../app/host.ts"
import { workingSession } from "../../app/library/named-session.ts"
import { hostDeps } from "../../app/setup/make-host-deps.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { onStop } from "../process/interrupt.ts"
import { type SessionChoice, type Which, withChosen } from "../sessions/select.ts"

export interface CompactFlags extends SessionChoice {
  focus?: string
  model?: string
  json?: boolean
}

export async function run(cli: Cli, options: CompactFlags): Promise<void> {
  const chosen = await withChosen(cli, options, async (session, which) => ({ id: session.id, which }))
  const name = options.session ?? chosen.id
  const { deps, close } = await hostDeps(cli, {
    watched: cli.out.isTerminal,
    ...(options.model !== undefined && { model: options.model }),
  })
  const { id, store } = await workingSession(cli, name, deps.store)
  const session = await makeHost({ ...deps, store }, options.model).open(id)
  const forget = onStop(() => void session.stop())
  try {
    const answer = await session.compact(options.focus)
    if (answer.outcome === "refused") throw new RetconError(answer.failure)
    const { entry, messages, missing } = answer
    if (options.json === true) printJson(cli.out, { session: id, entry, messages, missing })
    else cli.out.write(`${lines(messages, missing, chosen.which).join("\n")}\n`)
  } finally {
    forget()
    await session.close()
    await close()
  }
}

function lines(messages: number, missing: readonly string[], which: Which): string[] {
  const names = missing.length === 0 ? [] : [`The summary does not mention: ${missing.map(sanitiseLine).join(", ")}`]
  return [`Compacted ${count(messages, "message")}.`, ...names, `Take this back with: retcon undo${which}`]
}
