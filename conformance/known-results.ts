// The last result of each program in each case, stored beside the cases: docs/conformance.md is made from them.
import { readFileSync, writeFileSync } from "node:fs"
import type { Verdict } from "./cases/case.ts"
import type { Result } from "./result.ts"

/** By the program's name, then the case's name. `at`: the day of the last run. */
export type KnownResults = Record<
  string,
  { at: string; cases: Record<string, "yes" | Exclude<Verdict, { is: "yes" }>> }
>

/** Replaces earlier results by those of this run. */
export function keepResults(file: string, results: readonly Result[], at: Date): KnownResults {
  const known = JSON.parse(readFileSync(file, "utf8")) as KnownResults
  for (const { program, case: name, verdict } of results) {
    const cases = known[program]?.cases ?? {}
    cases[name] = verdict.is === "yes" ? "yes" : verdict
    known[program] = { at: at.toISOString().slice(0, 10), cases }
  }
  writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`)
  return known
}

export function resultOf(known: KnownResults, program: string, name: string): Result | undefined {
  const kept = known[program]?.cases[name]
  if (kept === undefined) return undefined
  return { program, case: name, verdict: kept === "yes" ? { is: "yes" } : kept }
}
