// The outcome, and what is known about it.
import type { Verdict } from "./cases/case.ts"
import { EXPLAINED } from "./explained.ts"

export interface Result {
  program: string
  case: string
  verdict: Verdict
}

/** Why a "no" is expected; undefined if it is not. */
export function explanation({ program, case: name, verdict }: Result): string | undefined {
  if (verdict.is !== "no") return undefined
  return EXPLAINED.find((known) => known.program === program && known.case === name)?.because
}

export function isSurprise(result: Result): boolean {
  return result.verdict.is === "no" && explanation(result) === undefined
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
  return verdict.is === "yes" ? start : `${start}: ${explanation(result) ?? verdict.because}`
}
