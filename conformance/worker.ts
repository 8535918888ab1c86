// Runs the cases of one program, inside a network namespace. Prints one JSON line for each.
import { join } from "node:path"
import { CASES } from "./cases/all.ts"
import type { Case, Verdict } from "./cases/case.ts"
import { FakeModel } from "./model/fake-model.ts"
import { PROGRAMS } from "./programs/all.ts"
import { Refused, Stage } from "./stage.ts"

/** What main.ts passes on, as JSON. */
export interface Given {
  program: string
  /** Where it is installed. */
  installed: string
  /** Where its adapter is; empty if it has none. */
  adapter: string
  /** For everything that is created. */
  folder: string
  /** retcon's command line, built. */
  retcon: string
  /** Names of cases; empty for all. */
  only: string[]
  /** Whether to show what was sent. */
  verbose: boolean
}

const given = JSON.parse(process.argv[2] ?? "{}") as Given
const program = PROGRAMS.find((each) => each.name === given.program)
if (program === undefined) throw new Error(`there is no program ${given.program}`)
const model = await FakeModel.start(program.protocol)
const stage = new Stage(program, model, { ...given, folder: join(given.folder, program.name) })
for (const each of CASES) {
  if (given.only.length > 0 && !given.only.includes(each.name)) continue
  process.stdout.write(`${JSON.stringify({ program: program.name, case: each.name, verdict: await judge(each) })}\n`)
}
await model.close()

async function judge(each: Case): Promise<Verdict> {
  const why = each.cannot?.(stage.program)
  if (why !== undefined) return { is: "not tried", because: why }
  try {
    const because = await each.differs(stage)
    return because === undefined ? { is: "yes" } : { is: "no", because }
  } catch (error) {
    if (error instanceof Refused) return { is: "refused", because: error.message }
    return { is: "no", because: error instanceof Error ? error.message : String(error) }
  }
}
