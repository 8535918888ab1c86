// Where the figures go: JSON for programs, docs/bench.md for people.
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

The last full run of \`npm run bench\`, on ${size}: ${at.toISOString().slice(0, 10)}, Node ${process.version.slice(1)},
${availableParallelism()} cores. Every figure is a median, measured in turn with its *floor* in the same process: the
least that any program would have to do. Compare ratios, not times. The comment at the head of each file in
\`bench/*/measure/\` says what its floor is. A row without a limit is there to look at.

${tables.join("\n\n")}
`,
  )
}
