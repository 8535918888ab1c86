// Runs the cases of one program, inside a network namespace. Prints one JSON line for each.
import { join } from "node:path"
import { CASES } from "./cases/all.ts"
import type { Case, Verdict } from "./cases/case.ts"
import { FakeModel } from "./model/fake-model.ts"
import { PROGRAMS } from "./programs/all.ts"
import { Stage } from "./stage.ts"

const [name, installed = "", folder = "", retcon = "", ...wanted] = process.argv.slice(2)
const program = PROGRAMS.find((each) => each.name === name)
if (program === undefined) throw new Error(`there is no program ${name}`)
const model = await FakeModel.start(program.protocol)
const stage = new Stage(program, model, { installed, folder: join(folder, program.name), retcon })
for (const each of CASES) {
  if (wanted.length > 0 && !wanted.includes(each.name)) continue
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
    return { is: "no", because: error instanceof Error ? error.message : String(error) }
  }
}
