// retcon keep: copies other agents' sessions, because those agents remove them. --restore gives one back.
import { makeLibrary } from "../../app/library/library.ts"
import { matchSession } from "../../app/library/named-session.ts"
import { shortId } from "../../model/id.ts"
import { bytes } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord, wrap } from "../../model/text/sanitise.ts"
import type { KeepAnswer } from "../../protocol/library.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { keepingLines } from "../render/keeping-lines.ts"
import { progress } from "../render/progress.ts"

export interface KeepFlags {
  restore?: string
  dryRun?: boolean
  json?: boolean
}

/** Returns 1 if not everything could be copied. */
export async function run(cli: Cli, { restore, dryRun, json }: KeepFlags): Promise<number> {
  if (restore !== undefined) {
    if (dryRun === true) throw new UsageError("--restore has no dry run.", "Use: retcon keep --restore ID")
    await giveBack(cli, restore, json === true)
    return EXIT.done
  }
  const shown = progress(cli, "Copying")
  const answer = await makeLibrary(cli)
    .keep({ dryRun: dryRun === true }, shown)
    .finally(shown.done)
  if (json === true) printJson(cli.out, answer)
  else {
    const lines = [...keepingLines(answer), ...sizeLines(cli, answer)]
    cli.out.write(`${lines.flatMap((line) => wrap(line, cli.out.width)).join("\n")}\n`)
  }
  return answer.left.length > 0 ? EXIT.failed : EXIT.done
}

async function giveBack(cli: Cli, name: string, json: boolean): Promise<void> {
  const session = matchSession(await cli.store.foreign.list(), name)
  const restored = await makeLibrary(cli).restoreKept({ session })
  if (json) return printJson(cli.out, restored)
  const resume = words(restored.resume)
  const lines =
    // For an agent with a database: retcon never writes there.
    restored.import !== undefined
      ? [
          `Session ${shortId(session)} was in a database, which retcon does not write to. Load the copy into its program with:`,
          `  ${words(restored.import)}`,
          `Then resume it with: ${resume}`,
        ]
      : [
          `Restored session ${shortId(session)}:`,
          ...restored.files.map((file) => `  ${sanitiseLine(file)}`),
          `Resume it with: ${resume}`,
        ]
  cli.out.write(`${lines.join("\n")}\n`)
}

function words(command: readonly string[]): string {
  return sanitiseLine(command.map(shellWord).join(" "))
}

/** A budget is only reported: nothing is removed for it. */
function* sizeLines({ settings }: Cli, { bytes: size, overBudget }: KeepAnswer): Generator<string> {
  if (size === 0) return
  const over = overBudget
    ? `, more than keep.budget (${settings["keep.budget"]}). retcon never removes any on its own`
    : ""
  yield `Kept copies take ${bytes(size)}${over}.`
}
