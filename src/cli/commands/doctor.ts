// retcon doctor: what is wrong with sessions, what it means, and what to do. It changes nothing.
import { resolve } from "node:path"
import { unusableConfig } from "../../app/config/config-check.ts"
import { makeLibrary } from "../../app/library/library.ts"
import { idNamed, isPath } from "../../app/library/named-session.ts"
import type { ExamineRequest, SessionAt } from "../../protocol/library.ts"
import { tellConfigProblems } from "../config/config-problems.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { doctorLines, totalLine, totalsOf } from "../render/doctor-lines.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import type { SessionChoice } from "../sessions/select.ts"

export interface DoctorFlags extends SessionChoice {
  all?: boolean
  json?: boolean
  /** Count secrets instead of looking for damage. */
  secrets?: boolean
}

/** Returns 1 if something needs attention. */
export async function run(cli: Cli, { session: name, all, json, secrets }: DoctorFlags): Promise<number> {
  if (name !== undefined && secrets !== true) {
    const { doctorForeign } = await import("../doctor/foreign-doctor.ts")
    const exit = await doctorForeign(cli, name, json === true)
    if (exit !== undefined) return exit
  }
  const request: ExamineRequest =
    name !== undefined ? { session: await placeNamed(cli, name) } : all === true ? {} : { cwd: cli.cwd }
  if (secrets === true) {
    const { doctorSecrets } = await import("../doctor/doctor-secrets.ts")
    return doctorSecrets(cli, request, json === true)
  }
  const shown = progress(cli, "Looking")
  const { examined } = await makeLibrary(cli).examine(request, shown).finally(shown.done)
  const totals = totalsOf(examined)
  totals.problems += unusableConfig(cli.home, cli.cwd).length
  const style = styleFor(cli.out)
  if (json === true) await printJsonList(cli.out, examined)
  else await page(cli, [...doctorLines(examined, cli.out.width, style), totalLine(totals, style)])
  tellConfigProblems(cli)
  return totals.problems > 0 ? EXIT.failed : EXIT.done
}

async function placeNamed(cli: Cli, name: string): Promise<SessionAt> {
  return isPath(name) ? { path: resolve(cli.cwd, name) } : idNamed(cli, name)
}
