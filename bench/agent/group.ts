// The agent's figures: what Backtrack saves, and how long the loop itself takes per step.
import { join } from "node:path"
import type { Bench } from "../group.ts"
import type { ExplorationFound } from "./measure/exploration.ts"
import type { StepFound } from "./measure/step.ts"
import type { StopFound } from "./measure/stop.ts"

/** With Backtrack, at most this share of the tokens may be sent: it must save 60 %. */
const TOKENS_LIMIT = 0.4
/** Milliseconds. */
const STEP_LIMIT = 5
/** How much slower a step may be with ten times as many messages on abandoned branches. */
const BRANCHES_LIMIT = 1.3
const MESSAGES = 2000
/** The most milliseconds from a person's Stop until the provider's connection is closed. */
const STOP_LIMIT = 200

export async function agent(bench: Bench): Promise<void> {
  if (bench.wants("exploration")) await measureExploration(bench)
  if (bench.wants("step")) await measureStep(bench)
  if (bench.wants("stop")) await measureStop(bench)
}

async function measureStop(bench: Bench): Promise<void> {
  const given = { home: join(bench.folder, "stop"), cwd: bench.folder, samples: 10 }
  const found = await bench.measure<StopFound>("agent/measure/stop", given)
  const data = "an endless answer; the slowest of 10, floor: the median"
  bench.report({ figure: "from stop to the closed connection", data, ...found, unit: "ms", under: STOP_LIMIT })
}

async function measureExploration(bench: Bench): Promise<void> {
  const folder = join(bench.folder, "exploration")
  const found = await bench.measure<ExplorationFound>("agent/measure/exploration", { folder })
  const [ours, floor] = [found.with, found.without]
  const data = `40 files, four a step, then 20 steps; ${ours.requests} and ${floor.requests} requests`
  const unit = "tokens"
  const sent = { ours: ours.tokens, floor: floor.tokens, unit, limit: TOKENS_LIMIT } as const
  bench.report({ figure: "tokens sent with Backtrack, and without", data, ...sent })
  bench.report({ figure: "the same, by price with a prompt cache", data, ours: ours.cost, floor: floor.cost, unit })
}

async function measureStep(bench: Bench): Promise<void> {
  const given = { cwd: bench.folder, messages: MESSAGES, steps: 20, samples: 9, warmUp: 3 }
  const measure = (name: string, more: object) =>
    bench.measure<StepFound>("agent/measure/step", { home: join(bench.folder, name), ...given, ...more })
  const plain = await measure("step", { abandoned: 0, durability: "fast" })
  const branches = await measure("branches", { abandoned: 10 * MESSAGES, durability: "fast" })
  const synced = await measure("synced", { abandoned: 0, durability: "sync" })
  const data = "2,000 messages; floor: a new session"
  const unit = "ms"
  bench.report({ figure: "the loop's own time for a step", data, ...plain, unit, under: STEP_LIMIT })
  bench.report({ figure: "the same, written through to the disk", data, ...synced, unit })
  const more = { data: "20,000 messages left on branches; floor: none", ours: branches.ours, floor: plain.ours }
  bench.report({ figure: "the loop's own time for a step", ...more, unit, limit: BRANCHES_LIMIT })
}
