// retcon diff [FROM] [TO]: how files differ between two points of the conversation, or a point and now.
import { exactDiff } from "../../app/open/diff.ts"
import { workspacePaths } from "../../app/open/workspace-path.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { count } from "../../model/text/amounts.ts"
import { fileLine } from "../move/files-lines.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { page } from "../render/pager.ts"
import { patchLines } from "../render/patch-lines.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice, withChosenFiles } from "../sessions/select.ts"

interface DiffOptions extends SessionChoice {
  from?: string
  to?: string
  path?: string[]
  stat?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: DiffOptions): Promise<void> {
  const { from, to, path: typed = [] } = options
  await withChosenFiles(cli, options, async (session) => {
    const paths = workspacePaths(cli, session, typed)
    const answer = await exactDiff(session, {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(paths === undefined ? {} : { paths }),
    })
    if (answer.outcome === "refused") throw new RetconError(answer.failure)
    const { words } = session.files.earlier ?? {}
    if (words !== undefined) cli.err.write(`${words}\n`)
    const { files, patch } = answer
    if (options.json === true)
      printJson(cli.out, options.stat === true ? { files } : { files, patch: patch.toString() })
    else if (files.length === 0) cli.out.write("No file differs.\n")
    else if (options.stat === true)
      await page(cli, [
        ...files.map(fileLine),
        `${count(files.length, "file")} ${files.length === 1 ? "differs" : "differ"}.`,
      ])
    // Byte for byte, for `git apply`; on a screen no text of a file may control the terminal.
    else if (!cli.out.isTerminal && !cli.out.colours) cli.out.write(patch)
    else await page(cli, patchLines(patch.toString(), styleFor(cli.out)))
  })
}
