// The name under which a file is written before it gets its own, outside retcon's home: in folders of a person or another
// agent, where nobody would tidy up after a process that was killed.
import { readdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { isRunning } from "../../../holder/process.ts"
import { orNothing } from "./problems.ts"

const OURS = /\.retcon-(\d+)\.tmp$/

/** Also removes what killed processes left in that folder. Contract: never fails; each name is for one file at a time. */
export function temporaryBeside(file: string): string {
  const folder = dirname(file)
  for (const name of orNothing(() => readdirSync(folder)) ?? []) {
    const pid = Number(OURS.exec(name)?.[1] ?? process.pid)
    if (pid !== process.pid && !isRunning(pid, "")) orNothing(() => rmSync(join(folder, name), { force: true }))
  }
  const ours = `${file}.retcon-${process.pid}.tmp`
  orNothing(() => rmSync(ours, { force: true }))
  return ours
}
