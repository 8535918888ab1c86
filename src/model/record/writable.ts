// Only what can be read back may be appended. The checks are those of reading.
import { Buffer } from "node:buffer"
import { RetconError } from "../failure/retcon-error.ts"
import { isTaken, type TakenLine, type WritableRecord } from "./record.ts"
import { parseRecord, recordProblem } from "./record-parse.ts"

/** Contract: throws `invalid` for records that a reader would call damaged. */
export function mustBeRecords(records: readonly (WritableRecord | TakenLine)[]): void {
  for (const record of records) {
    const problem = isTaken(record) ? lineProblem(record) : recordProblem(record)
    if (problem !== undefined) throw refusal(`It could not be read back: ${problem}.`)
  }
}

function lineProblem({ id, line }: TakenLine): string | undefined {
  const parsed = parseRecord(Buffer.from(line).toString("utf8"))
  if (!parsed.ok) return parsed.problem
  return parsed.value.id === id ? undefined : `its id is not ${id}`
}

/** Returns what `print` returns. Contract: throws `invalid` for what JSON cannot express: a cycle, a BigInt. */
export function printable<Printed>(print: () => Printed): Printed {
  try {
    return print()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw refusal(`It is not JSON: ${error.message}.`)
    throw error
  }
}

function refusal(problem: string): RetconError {
  const advice = "See docs/format.md for the fields of each record. Nothing was written."
  return new RetconError({ code: "invalid", problem, advice })
}
