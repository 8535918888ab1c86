// Changes another program's settings file as planned: shows the change first, and makes it only if the person agrees.
import { carryOut, differenceOf, isNoChange, type SettingsChange } from "../../app/protection/install.ts"
import { sanitise, sanitiseLine } from "../../model/text/sanitise.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"

export interface ChangeFlags {
  action: "install" | "uninstall"
  dryRun?: boolean
  yes?: boolean
  json?: boolean
}

/** Each with a final line break. */
interface ChangeWords {
  agent: string
  /** There was nothing to change. */
  same: string
  done: string
}

/** The exit code, unless it is that of success. */
export async function changeSettings(
  cli: Cli,
  planned: SettingsChange,
  { action, dryRun, yes, json = false }: ChangeFlags,
  { agent, same, done }: ChangeWords,
): Promise<number | undefined> {
  const { file } = planned
  if (isNoChange(planned)) {
    if (json) printJson(cli.out, { agent, file, changed: false })
    else cli.out.write(same)
    return undefined
  }
  const difference = differenceOf(planned)
  if (!json) cli.out.write(sanitise(difference))
  if (dryRun === true) {
    if (json) printJson(cli.out, { agent, file, changed: false, difference })
    else cli.out.write("This was a dry run: nothing was changed.\n")
    return undefined
  }
  if (yes !== true && !(await agreed(cli, file, json))) {
    cli.out.write("Nothing was changed.\n")
    return EXIT.failed
  }
  carryOut(cli, planned, action)
  if (json) printJson(cli.out, { agent, file, changed: true, difference })
  else cli.out.write(done)
  return undefined
}

async function agreed(cli: Cli, file: string, json: boolean): Promise<boolean> {
  if (!cli.in.isTerminal || json)
    throw new UsageError("This changes another program's settings, and there is nobody to ask.", "Confirm with --yes.")
  return isYes(await cli.in.ask(`Change ${sanitiseLine(file)} like this? [y/N] `))
}
