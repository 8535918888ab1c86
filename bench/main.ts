// npm run bench: measures each group of figures against its floors. Exits with 1 if one is over its limit.
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { type Figure, verdictOn } from "./figure.ts"
import { type Bench, GROUPS } from "./group.ts"
import { bundleMeasures } from "./measures.ts"
import { type Options, readOptions } from "./options.ts"
import { writeDocs, writeJson } from "./results.ts"
import { COLUMNS, printRow, rowOf } from "./table.ts"
import { temporaryFolder } from "./temporary.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

async function main(options: Options): Promise<void> {
  const folder = temporaryFolder(join(root, ".cache"))
  const measure = await bundleMeasures(join(root, "bench"), options.groups, join(folder, "bundle"))
  const figures: (Figure & { group: string })[] = []
  process.stdout.write(`${printRow(COLUMNS)}\n`)
  for (const name of options.groups) {
    const bench: Bench = {
      folder,
      large: options.large,
      measure,
      wants: (figure) => options.only.length === 0 || options.only.includes(figure),
      report(figure) {
        figures.push({ group: name, ...figure })
        process.stdout.write(`${printRow(rowOf(figure))}\n`)
      },
    }
    const group = await GROUPS.get(name)?.()
    await group?.(bench)
  }
  const run = { figures, large: options.large, at: new Date() }
  writeJson(resolve(root, options.json), run)
  if (options.writeDocs) writeDocs(join(root, "docs/bench.md"), run)
  const over = figures.filter((figure) => verdictOn(figure) === "over").length
  process.stdout.write(over === 0 ? "Every figure is within its limit.\n" : `${over} over the limit.\n`)
  process.exitCode = over === 0 ? 0 : 1
}

const options = readOptions(process.argv.slice(2), [...GROUPS.keys()])
if ("usage" in options) {
  process.stdout.write(`${options.usage}\n`)
  process.exitCode = options.exit
} else await main(options)
