// retcon doctor --secrets: how many secrets of which kind sessions contain. Never a value.
import { type SecretsSource, type SessionSecrets, secretsIn } from "../../app/secrets/session-secrets.ts"
import { shortId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, wrap } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { countKinds, kindWords } from "../render/secret-words.ts"

/** Returns 1 if there are any, or if a session could not be checked. */
export async function doctorSecrets(cli: Cli, sources: readonly SecretsSource[], json: boolean): Promise<number> {
  const shown = progress(cli, "Looking")
  const sessions: SessionSecrets[] = []
  for (const [index, source] of sources.entries()) {
    sessions.push(await secretsIn(cli, source))
    await shown.tick((index + 1) / sources.length)
  }
  shown.done()
  if (json) await printJsonList(cli.out, sessions.map(jsonSecrets))
  else await page(cli, lines(cli, sessions))
  return sessions.some(({ found, problem }) => found.size > 0 || problem !== undefined) ? EXIT.failed : EXIT.done
}

function* lines({ out }: Cli, sessions: readonly SessionSecrets[]): Generator<string> {
  for (const { file, id, found, problem } of sessions) {
    const name = id === null ? sanitiseLine(file) : shortId(id)
    if (problem !== undefined) yield* wrap(`${name}: could not be checked. ${sanitiseLine(problem)}`, out.width)
    else if (found.size > 0) yield* wrap(`${name}: ${kindWords(found)}`, out.width)
  }
  const all = new Set(sessions.flatMap(({ found }) => [...found.keys()]))
  const holding = sessions.filter(({ found }) => found.size > 0)
  if (all.size === 0) yield `No secrets were recognised in ${count(sessions.length, "session")}.`
  else {
    const total = `${count(all.size, "secret")} in ${holding.length} of ${count(sessions.length, "session")}.`
    yield* wrap(`${total} Markdown exports replace secrets; JSON exports and sessions contain them.`, out.width)
  }
}

/** Contract (docs/cli.md). */
function jsonSecrets({ file, id, found, problem }: SessionSecrets): object {
  const about = problem === undefined ? {} : { problem }
  return { file, session: id, secrets: countKinds(found), ...about }
}
