// retcon compare A [B]: how two branches differ, or two sessions of which one is a copy of the other.
import { resolve } from "node:path"
import { ownConfig } from "../../app/config/folder-trust.ts"
import { modelSettings } from "../../app/config/model-config.ts"
import { idNamed, isPath, openPlace } from "../../app/library/named-session.ts"
import { compareIn } from "../../app/open/compare.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type Compared, comparedLines } from "../../protocol/compare-words.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { patchLines } from "../render/patch-lines.ts"
import { type Style, styleFor } from "../render/style.ts"
import { type SessionChoice, withChosenFiles } from "../sessions/select.ts"

interface CompareOptions extends SessionChoice {
  a: string
  b?: string
  patch?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: CompareOptions): Promise<void> {
  const { a, b, patch = false } = options
  await withChosenFiles(cli, options, async (session) => {
    const answer = await compareIn(
      session,
      { a, ...(b !== undefined && { b }), patch },
      {
        open: async (name) =>
          openPlace(cli.store, isPath(name) ? { path: resolve(cli.cwd, name) } : await idNamed(cli, name)),
        prices: modelSettings(ownConfig(cli.home), {}).models,
      },
    )
    if (answer.outcome === "refused") throw new RetconError(answer.failure)
    if (options.json === true) return printJson(cli.out, { ...answer, session: session.id })
    await page(cli, linesOf(answer, styleFor(cli.out), cli.out.width))
  })
}

const MOST_ANSWER_LINES = 12

function* linesOf(answer: Compared, style: Style, width: number): Generator<string> {
  for (const { text, as } of comparedLines(answer, width, MOST_ANSWER_LINES)) {
    if (as === "title") yield style.strong(text)
    else yield as === "quiet" ? style.quiet(text) : text
  }
  if (answer.patch === undefined || answer.patch === "") return
  yield ""
  yield* patchLines(answer.patch, style)
}
