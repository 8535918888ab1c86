// npx tsx bench/workspace/main.ts [--large]

import { workspaceFigures } from "./figures.ts"

const rows = await workspaceFigures({ large: process.argv.includes("--large") })
for (const { figure, ours, floor, ratio, limit } of rows) {
  const verdict = ratio <= limit ? "ok  " : "OVER"
  process.stdout.write(
    `${verdict} ${ratio.toFixed(2).padStart(6)} x  (limit ${limit})  ${ours.toFixed(1)} ms against ${floor.toFixed(1)} ms  ${figure}\n`,
  )
}
if (rows.some(({ ratio, limit }) => ratio > limit)) process.exitCode = 1
