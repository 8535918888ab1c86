// retcon doctor --secrets: how many secrets of which kind sessions contain. Never a value.
import { makeLibrary } from "../../app/library/library.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { ExamineRequest, SecretsAnswer } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { kindWords } from "../render/secret-words.ts"

/** Returns 1 if there are any, or if a session could not be checked. */
export async function doctorSecrets(cli: Cli, request: ExamineRequest, json: boolean): Promise<number> {
  const shown = progress(cli, "Looking")
  const answer = await makeLibrary(cli).secrets(request, shown).finally(shown.done)
  if (json) await printJsonList(cli.out, answer.sessions)
  else await page(cli, lines(cli, answer))
  return answer.sessions.some((each) => each.secrets.length > 0 || each.problem !== undefined) ? EXIT.failed : EXIT.done
}

function* lines({ out }: Cli, { sessions, secrets: all }: SecretsAnswer): Generator<string> {
  for (const { file, session, secrets, problem } of sessions) {
    const name = session === null ? sanitiseLine(file) : shortId(session)
    if (problem !== undefined) yield* wrap(`${name}: could not be checked. ${sanitiseLine(problem)}`, out.width)
    else if (secrets.length > 0) yield* wrap(`${name}: ${kindWords(secrets)}`, out.width)
  }
  const holding = sessions.filter(({ secrets }) => secrets.length > 0)
  if (all === 0) yield `No secrets were recognised in ${count(sessions.length, "session")}.`
  else {
    const total = `${count(all, "secret")} in ${holding.length} of ${count(sessions.length, "session")}.`
    yield* wrap(`${total} Markdown exports replace secrets; JSON exports and sessions contain them.`, out.width)
  }
}
