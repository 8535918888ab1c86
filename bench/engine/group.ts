// The engine's figures: opening, moving, appending, listing, memory. Sizes and limits are those of the specification.
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import type { Bench } from "../group.ts"
import type { MemoryFound } from "../memory.ts"
import type { Measured } from "../timing.ts"
import { type Made, makeSession, makeSpans, makeTips, makeUncompacted, SHAPES } from "./make-session.ts"
import type { AppendFound } from "./measure/append.ts"
import type { ContextFound } from "./measure/context.ts"
import type { ListFound } from "./measure/list.ts"
import type { MemoryGiven } from "./measure/memory.ts"
import type { MovesFound } from "./measure/moves.ts"
import type { OpenFound } from "./measure/open-warm.ts"
import { Scribe } from "./scribe.ts"

const MB = 1_000_000
const SIZES = [1, 10, 100]
const LARGE = 1000
const WARM_LIMIT = 2
/** The limit of the scan, by size in MB. */
const COLD_LIMITS = new Map([
  [100, 5],
  [LARGE, 3.5],
])
const MOVE_LIMIT = 2
const DRY_RUN_LIMIT = 3
const CONTEXT_LIMIT = 3
const LABEL_LIMIT = 1.5
const CLOSE_LIMIT = 1.5
/** A sync append waits for another thread, so that a slow disk freezes no screen; its floor waits only for the disk. */
const APPEND_LIMITS = { fast: 15, sync: 2 }
const MEMORY_LIMIT = 120
const LIST_LIMITS = { cold: 2, warm: 3 }

export async function engine(bench: Bench): Promise<void> {
  const sessions = ["open-cold", "open-warm", "moves", "memory"].some((name) => bench.wants(name))
  for (const megabytes of sessions ? [...SIZES, ...(bench.large ? [LARGE] : [])] : []) {
    for (const shape of SHAPES) {
      const home = join(bench.folder, "home")
      const made = makeSession(home, "/bench/session", shape, megabytes * MB)
      const data = `${megabytes >= LARGE ? "1 GB" : `${megabytes} MB`}, ${shape}`
      await measureSession(bench, { home, made, megabytes, data })
      rmSync(home, { recursive: true })
    }
  }
  if (bench.wants("spans")) await measureSpans(bench)
  if (bench.wants("context")) await measureContext(bench)
  if (bench.wants("labels")) await measureLabels(bench)
  if (bench.wants("close")) await measureClose(bench)
  if (bench.wants("append")) await measureAppend(bench)
  if (bench.wants("list")) await measureList(bench)
}

interface Subject {
  home: string
  made: Made
  megabytes: number
  data: string
}

async function measureSession(bench: Bench, subject: Subject): Promise<void> {
  if (bench.wants("open-cold")) await measureCold(bench, subject)
  if (bench.wants("open-warm")) await measureWarm(bench, subject)
  if (bench.wants("moves")) await measureMoves(bench, subject)
  if (bench.wants("memory") && subject.megabytes >= 100) await measureMemory(bench, subject)
}

async function measureCold(bench: Bench, { home, made, data, megabytes }: Subject): Promise<void> {
  const found = await bench.measure<Measured>("engine/measure/open-cold", { home, made, samples: 15, warmUp: 3 })
  bench.report({
    figure: "open + context, no index",
    data,
    ...found,
    unit: "ms",
    ...limited(COLD_LIMITS.get(megabytes)),
  })
}

async function measureWarm(bench: Bench, { home, made, data, megabytes }: Subject): Promise<void> {
  const given = { home, made, samples: 40, warmUp: 10 }
  const found = await bench.measure<OpenFound>("engine/measure/open-warm", given)
  const limit = limited(megabytes >= 100 ? WARM_LIMIT : undefined)
  const figure = `open + context of ${made.context}`
  bench.report({ figure: `${figure}, index`, data, ...found.whole, unit: "ms", ...limit })
  bench.report({ figure: `${figure}, floor reads no index`, data, ...found.strict, unit: "ms", ...limit })
}

async function measureMoves(bench: Bench, { home, made, data }: Subject): Promise<void> {
  const found = await bench.measure<MovesFound>("engine/measure/moves", { home, made, samples: 30, warmUp: 5 })
  for (const [move, measured] of Object.entries(found)) {
    bench.report({ figure: `${move}, after open`, data, ...measured, unit: "ms", ...limited(moveLimit(move, data)) })
  }
}

/** A move costs what it leaves: for one that leaves half of a log with files, the time is only reported. */
function moveLimit(move: string, data: string): number | undefined {
  // Finding an entry by the end of its id searches the ids of all entries, which is not part of the move.
  if (move === "goto SUFFIX" || (data.includes("spans") && (move === "goto ID" || move === "goto @N"))) return undefined
  return move.endsWith("--dry-run") ? DRY_RUN_LIMIT : MOVE_LIMIT
}

const SPANS = 10_000

async function measureSpans(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  const made = makeSpans(home, "/bench/session", SPANS)
  const data = `${SPANS.toLocaleString("en-US")} spans, ${made.restores} restores`
  await measureMoves(bench, { home, made, megabytes: made.bytes / MB, data })
  rmSync(home, { recursive: true })
}

async function measureContext(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  const made = makeUncompacted(home, "/bench/session", 100 * MB)
  const found = await bench.measure<ContextFound>("engine/measure/context", { home, made, samples: 30, warmUp: 5 })
  const figure = { data: "100 MB, not compacted", unit: "ms", limit: CONTEXT_LIMIT } as const
  for (const [change, measured] of Object.entries(found)) {
    bench.report({ figure: `context after ${change}`, ...figure, ...measured })
  }
  rmSync(home, { recursive: true })
}

async function measureClose(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  const [many, few] = [makeTips(home, "/bench/many", 100_000), makeTips(home, "/bench/few", 10)]
  const found = await bench.measure<Measured>("engine/measure/close", { home, many, few, samples: 40, warmUp: 5 })
  bench.report({ figure: "close", data: "100,000 tips; floor: 10", ...found, unit: "ms", limit: CLOSE_LIMIT })
  rmSync(home, { recursive: true })
}

async function measureLabels(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  const given = { home, many: 10_000, few: 10, samples: 60, warmUp: 10 }
  const found = await bench.measure<Measured>("engine/measure/labels", given)
  bench.report({ figure: "label", data: "10,000 labels; floor: 10", ...found, unit: "ms", limit: LABEL_LIMIT })
  rmSync(home, { recursive: true })
}

async function measureMemory(bench: Bench, { home, made, data }: Subject): Promise<void> {
  const memory = (given: MemoryGiven) => bench.measure<MemoryFound>("engine/measure/memory", given, { memory: true })
  const empty = await memory({})
  rmSync(indexFile(made.file), { force: true })
  const cold = await memory({ home, made })
  const warm = await memory({ home, made })
  const figure = { data, floor: empty.peak, unit: "MB", under: MEMORY_LIMIT } as const
  bench.report({ figure: "memory (peak) to open, index", ours: warm.peak, ...figure })
  bench.report({ figure: "memory (peak) to open, no index", ours: cold.peak, ...figure })
}

function limited(limit: number | undefined): { limit?: number } {
  return limit === undefined ? {} : { limit }
}

async function measureAppend(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  for (const durability of ["fast", "sync"] as const) {
    const repeats =
      durability === "fast" ? { batch: 200, samples: 60, warmUp: 20 } : { batch: 20, samples: 20, warmUp: 3 }
    const found = await bench.measure<AppendFound>("engine/measure/append", { home, durability, ...repeats })
    const figure = { data: "4 KB on average", unit: "µs", limit: APPEND_LIMITS[durability] } as const
    bench.report({ figure: `append, ${durability}`, ...figure, ...found.session })
    bench.report({ figure: `append to the log alone, ${durability}`, ...figure, ...found.log })
  }
  rmSync(home, { recursive: true })
}

async function measureList(bench: Bench): Promise<void> {
  const home = join(bench.folder, "home")
  const files: string[] = []
  for (let n = 0; n < 1000; n++) {
    const scribe = new Scribe(home, `/bench/project-${n % 20}`, n)
    scribe.round()
    scribe.round()
    scribe.close()
    files.push(scribe.file)
  }
  const found = await bench.measure<ListFound>("engine/measure/list", { home, files, samples: 30, warmUp: 5 })
  const folders = new Set(files.map((file) => dirname(file))).size
  const data = `1,000 sessions in ${folders} directories`
  const figure = { data, unit: "ms" } as const
  bench.report({ figure: "list, as they were closed", ...figure, ...found.closed, limit: LIST_LIMITS.cold })
  bench.report({ figure: "list, warm catalogue", ...figure, ...found.warm, limit: LIST_LIMITS.warm })
  bench.report({ figure: "list, catalogue deleted", ...figure, ...found.deleted })
  rmSync(home, { recursive: true })
}
