// Says which session could not be searched, and why.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"
import type { FindOptions } from "./find-each.ts"

export function tellSkipped(cli: Cli): NonNullable<FindOptions["skipped"]> {
  return ({ file, id }, problem) =>
    cli.err.write(`retcon: ${sanitiseLine(file ?? id)} could not be searched: ${problem}\n`)
}
