// What may follow `npm run bench --`.
import { parseArgs } from "node:util"

export interface Options {
  groups: string[]
  large: boolean
  /** Names of figures; empty for all. */
  only: string[]
  json: string
  writeDocs: boolean
}

const USAGE = `Usage: npm run bench -- [GROUP…] [--large] [--only NAME]… [--json FILE] [--write-docs]

  GROUP         what to measure; all groups by default
  --large       also measure with 1 GB
  --only NAME   only those figures: the name of a file in bench/GROUP/measure, or spans
  --json FILE   where the figures go as JSON (default: bench/results/latest.json)
  --write-docs  also write docs/bench.md`

/** A message if the arguments make no sense or help was requested. */
export function readOptions(args: string[], known: readonly string[]): Options | { usage: string; exit: 0 | 2 } {
  const options = {
    large: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] as string[] },
    json: { type: "string", default: "bench/results/latest.json" },
    "write-docs": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.help) return { usage: USAGE, exit: 0 }
    const unknown = positionals.find((name) => !known.includes(name))
    if (unknown !== undefined) {
      return { usage: `No group "${unknown}". Groups: ${known.join(", ")}\n\n${USAGE}`, exit: 2 }
    }
    const groups = positionals.length > 0 ? positionals : [...known]
    const { large, only, json } = values
    return { groups, large, only, json, writeDocs: values["write-docs"] }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { usage: `${error.message}\n\n${USAGE}`, exit: 2 }
  }
}
