// What may follow `npm run conformance --`.
import { parseArgs } from "node:util"
import { CASES } from "./cases/all.ts"
import { PROGRAMS } from "./programs/all.ts"

export interface Options {
  programs: string[]
  /** Names of cases; empty for all. */
  only: string[]
  writeDocs: boolean
  verbose: boolean
}

const PROGRAM_NAMES = PROGRAMS.map(({ name }) => name)
const CASE_NAMES = CASES.map(({ name }) => name)

const USAGE = `Usage: npm run conformance -- [AGENT…] [--only CASE]… [--verbose] [--write-docs]

  AGENT         ${PROGRAM_NAMES.join(", ")}; all by default
  --only CASE   only these: ${CASE_NAMES.join(", ")}
  --verbose     show what each prompt sent, without what its program adds
  --write-docs  also write docs/conformance.md: what these agents answered in these cases

The programs are installed from npm into .cache/conformance and run in their own network namespaces, which needs
Linux and root or user namespaces.`

/** A message if the arguments make no sense or help was requested. */
export function readOptions(args: string[]): Options | { usage: string; exit: 0 | 2 } {
  const options = {
    only: { type: "string", multiple: true, default: [] as string[] },
    "write-docs": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help) return { usage: USAGE, exit: 0 }
    const unknown = [
      ...positionals.filter((name) => !PROGRAM_NAMES.includes(name)),
      ...values.only.filter((name) => !CASE_NAMES.includes(name)),
    ]
    if (unknown.length > 0) return { usage: `There is no ${unknown.join(", no ")}.\n\n${USAGE}`, exit: 2 }
    const programs = positionals.length > 0 ? positionals : PROGRAM_NAMES
    return { programs, only: values.only, writeDocs: values["write-docs"], verbose: values.verbose }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { usage: `${error.message}\n\n${USAGE}`, exit: 2 }
  }
}
