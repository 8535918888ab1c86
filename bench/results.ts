// Where the figures are written: JSON for programs, docs/bench.md for people.
import { mkdirSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { dirname } from "node:path"
import { type Figure, ratioOf, verdictOn } from "./figure.ts"
import { markdownTable } from "./table.ts"

export interface Run {
  figures: readonly (Figure & { group: string })[]
  large: boolean
  at: Date
}

export function writeJson(file: string, { figures, large, at }: Run): void {
  const machine = {
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    cores: availableParallelism(),
  }
  const rows = figures.map((figure) => ({ ...figure, ratio: ratioOf(figure), verdict: verdictOn(figure) }))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ at: at.toISOString(), ...machine, large, figures: rows }, undefined, 2)}\n`)
}

export function writeDocs(file: string, { figures, large, at }: Run): void {
  const groups = [...new Set(figures.map(({ group }) => group))]
  const tables = groups.map((group) => `## ${group}\n\n${markdownTable(figures.filter((row) => row.group === group))}`)
  const size = large ? "up to 1 GB (`--large`)" : "up to 100 MB"
  writeFileSync(
    file,
    `# Speed

The last full run of \`npm run bench\`, with ${size}: ${at.toISOString().slice(0, 10)}, Node ${process.version.slice(1)},
${availableParallelism()} cores. Every figure is a median. Its *floor*, the least work that any program would have to do, is measured
alternately in the same process. Compare ratios, not times. The comment at the head of each file in \`bench/*/measure/\` defines its floor. Rows
without a limit are for information only. A *goal* beside a limit is what the limit would be if only speed mattered
([decision 25](decisions/0025-limits.md)).

${tables.join("\n\n")}
`,
  )
}
