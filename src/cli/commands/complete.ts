// retcon complete -- WORDS: what could replace the last word. Called by the completion scripts.
import type { Command } from "commander"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { candidates } from "../completion/candidates.ts"
import type { Cli } from "../port/cli.ts"

const ABOUT_WIDTH = 60

export async function run(cli: Cli, options: { words: string[] }, program: Command): Promise<void> {
  for (const { value, about } of await candidates(cli, program, options.words)) {
    cli.out.write(`${value}\t${clip(sanitiseLine(about), ABOUT_WIDTH)}\n`)
  }
}
