// The terminal's figures: a key while an answer streams, CPU time, startup, the tree, the program's size.
import { join } from "node:path"
import type { Bench } from "../group.ts"
import type { StreamFound } from "./measure/stream.ts"
import type { TreeFound } from "./measure/tree.ts"
import { measureProgram } from "./program.ts"
import { measureStart } from "./start.ts"

/** Milliseconds. */
const KEY_LIMIT = 33
const FRAME_LIMIT = 5
/** As a multiple of what pi-tui alone takes. */
const CPU_LIMIT = 1

export async function tui(bench: Bench): Promise<void> {
  if (bench.wants("stream")) await measureStream(bench)
  if (bench.wants("tree")) await measureTree(bench)
  await measureProgram(bench)
  if (bench.wants("start")) await measureStart(bench)
}

async function measureStream(bench: Bench): Promise<void> {
  const given = { home: join(bench.folder, "stream"), cwd: "/bench/tui", messages: 5000, perSecond: 200 }
  const repeats = { seconds: 4, samples: 6, warmUp: 1 }
  const { ours, floor } = await bench.measure<StreamFound>("tui/measure/stream", { ...given, ...repeats })
  const data = "5,000 messages, 200 tokens/s"
  const unit = "ms"
  bench.report({ figure: "key to write at p99", data, ours: ours.key, floor: floor.key, unit, under: KEY_LIMIT })
  bench.report({ figure: "CPU for a frame", data, ours: ours.frame, floor: floor.frame, unit, under: FRAME_LIMIT })
  const cpu = { ours: ours.cpu, floor: floor.cpu, unit, limit: CPU_LIMIT } as const
  bench.report({ figure: "CPU for a second of streaming, and pi-tui's", data, ...cpu })
}

async function measureTree(bench: Bench): Promise<void> {
  const { figures } = await bench.measure<TreeFound>("tui/measure/tree", {})
  for (const figure of figures) bench.report({ data: "100,000 entries", ...figure })
}
