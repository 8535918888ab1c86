// retcon complete -- WORDS: what could stand in the place of the last word. Called by the completion scripts.
import type { Cli } from "../cli.ts"
import { candidates } from "../completion/candidates.ts"
import { sanitiseLine } from "../render/sanitise.ts"
import { clip } from "../render/width.ts"

const ABOUT_WIDTH = 60

export async function run(cli: Cli, options: { words: string[] }): Promise<void> {
  for (const { value, about } of await candidates(cli, options.words)) {
    cli.out.write(`${value}\t${clip(sanitiseLine(about), ABOUT_WIDTH)}\n`)
  }
}
