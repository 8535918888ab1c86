// The outcome, and whether it was expected.
import type { Verdict } from "./cases/case.ts"
import { PROGRAMS } from "./programs/all.ts"

export interface Result {
  program: string
  case: string
  verdict: Verdict
}

/** They disagree, or retcon refuses what it must not refuse. */
export function isSurprise({ program, case: name, verdict }: Result): boolean {
  if (verdict.is !== "refused") return verdict.is === "no"
  const { stays, refuses = [] } = PROGRAMS.find((each) => each.name === program) ?? {}
  return stays !== true && !refuses.includes(name)
}

/** The same without the folder of the run, which is another each time and on each machine. */
export function withoutFolder(result: Result, folder: string): Result {
  const { verdict } = result
  if (verdict.is === "yes") return result
  return { ...result, verdict: { ...verdict, because: verdict.because.replaceAll(folder, "…") } }
}

/** For the terminal. */
export function resultLine(result: Result): string {
  const { verdict } = result
  const start = `  ${verdict.is.padEnd(9)} ${result.case}`
  if (verdict.is === "yes") return start
  return `${start}: ${verdict.because}${verdict.is === "refused" && isSurprise(result) ? " (not expected)" : ""}`
}
