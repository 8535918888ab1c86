// retcon omit ENTRY: continue without what a provider refuses. The log keeps it.
import { shortId } from "../../model/id.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

interface OmitOptions extends SessionChoice {
  entry: string
  json?: boolean
}

export async function run(cli: Cli, options: OmitOptions): Promise<void> {
  await withChosen(cli, options, async (session, which) => {
    const { entry, parts } = await session.omit(options.entry)
    if (options.json === true) return printJson(cli.out, { entry, parts })
    const what = parts === "media" ? "images and files" : "text"
    cli.out.write(
      `The model no longer sees the ${what} of ${shortId(entry)}. The log keeps everything.\nTake this back with: retcon undo${which}\n`,
    )
  })
}
