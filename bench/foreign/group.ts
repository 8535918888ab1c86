// Other agents' sessions: opening, following, listing and searching them.
import { mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Bench } from "../group.ts"
import type { MemoryFound } from "../memory.ts"
import type { Measured } from "../timing.ts"
import { writeClaudeFile } from "./claude-file.ts"
import { makeHomes } from "./make-homes.ts"
import type { ForeignListFound } from "./measure/list.ts"
import type { ColdFound } from "./measure/open-cold.ts"
import type { WarmFound } from "./measure/open-warm.ts"
import type { ForeignSearchFound } from "./measure/search.ts"

const MB = 1_000_000
const LIMITS = {
  scan: { limit: 15, goal: 12 },
  parse: { limit: 0.8 },
  warm: { limit: 2.5, goal: 2 },
  listCold: { limit: 3.5, goal: 2 },
  listWarm: { limit: 3 },
  search: { limit: 3, goal: 2 },
  keep: { limit: 3 },
}
/** Milliseconds. */
const UNDER = { grow: 1, hook: 60, searchPause: 20 }
const SESSIONS = 2000
const LINE = '{"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-01T00:00:00.000Z"}\n'

export async function foreign(bench: Bench): Promise<void> {
  const opens = ["open-cold", "open-warm", "memory"].some((name) => bench.wants(name))
  for (const lines of opens ? (["short", "long"] as const) : []) await measureFile(bench, 100, lines)
  if (opens && bench.large) await measureFile(bench, 1000, "short")
  if (bench.wants("list")) await measureList(bench)
  if (bench.wants("search")) await measureSearch(bench)
  if (bench.wants("search-pause")) await measureSearchPause(bench)
  if (bench.wants("keep")) await measureKeep(bench)
  if (bench.wants("hook")) await measureHook(bench)
}

async function measureFile(bench: Bench, megabytes: number, kind: "short" | "long"): Promise<void> {
  const [folder, home] = [join(bench.folder, "claude"), join(bench.folder, "home")]
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "7aaef370-c7b1-4fb3-acc5-b922e1583b82.jsonl")
  const lines = writeClaudeFile(file, { bytes: megabytes * MB, lines: kind })
  const data = `Claude Code, ${megabytes >= 1000 ? "1 GB" : `${megabytes} MB`}, ${kind} lines`
  if (bench.wants("open-cold")) {
    const given = { file, home, lines, samples: megabytes >= 1000 ? 3 : 7, warmUp: 1 }
    const found = await bench.measure<ColdFound>("foreign/measure/open-cold", given)
    bench.report({ figure: "first open; floor: newlines", data, ...found.scan, unit: "ms", ...LIMITS.scan })
    bench.report({
      figure: "first open; floor: JSON.parse of all",
      data,
      ...found.parse,
      unit: "ms",
      ...LIMITS.parse,
    })
  }
  if (bench.wants("open-warm")) {
    const given = { file, home, line: LINE, samples: 25, warmUp: 5 }
    const found = await bench.measure<WarmFound>("foreign/measure/open-warm", given)
    bench.report({ figure: "open + context, index", data, ...found.open, unit: "ms", ...LIMITS.warm })
    bench.report({ figure: "one new line; floor: reading it", data, ...found.grow, unit: "ms", under: UNDER.grow })
  }
  if (bench.wants("memory")) await measureMemory(bench, { file, home }, data, megabytes >= 1000 ? 150 : 100)
  rmSync(folder, { recursive: true })
  rmSync(home, { recursive: true, force: true })
}

async function measureMemory(
  bench: Bench,
  given: { file: string; home: string },
  data: string,
  under: number,
): Promise<void> {
  const memory = (subject: object) => bench.measure<MemoryFound>("foreign/measure/memory", subject, { memory: true })
  rmSync(join(given.home, "cache"), { recursive: true, force: true })
  const [empty, cold] = [await memory({}), await memory(given)]
  bench.report({
    figure: "memory (peak) of the first open",
    data,
    ours: cold.peak,
    floor: empty.peak,
    unit: "MB",
    under,
  })
}

async function measureList(bench: Bench): Promise<void> {
  const [person, home] = [join(bench.folder, "person"), join(bench.folder, "home")]
  makeHomes(person, SESSIONS)
  const given = { person, home, samples: 10, warmUp: 2 }
  const { cold, warm } = await bench.measure<ForeignListFound>("foreign/measure/list", given)
  const data = `${SESSIONS.toLocaleString("en-US")} sessions of two agents`
  bench.report({ figure: "list; floor: both ends of each", data, ...cold, unit: "ms", ...LIMITS.listCold })
  bench.report({ figure: "list, known; floor: a stat of each", data, ...warm, unit: "ms", ...LIMITS.listWarm })
  rmSync(person, { recursive: true })
  rmSync(home, { recursive: true, force: true })
}

async function measureSearch(bench: Bench): Promise<void> {
  const folder = join(bench.folder, "claude")
  mkdirSync(folder, { recursive: true })
  const count = bench.large ? 20 : 4
  const files = Array.from({ length: count }, (_, n) => join(folder, `${n}.jsonl`))
  for (const file of files) writeClaudeFile(file, { bytes: 100 * MB, lines: "short" })
  const given = { files, text: "turn_duration", samples: 5, warmUp: 1 }
  const { found, against } = await bench.measure<ForeignSearchFound>("foreign/measure/search", given)
  const limit = against === "rg" ? LIMITS.search : {}
  bench.report({ figure: `search; floor: ${against}`, data: `${count * 100} MB`, ...found, unit: "ms", ...limit })
  rmSync(folder, { recursive: true })
}

/** What the server's other clients wait for while one of them searches. */
async function measureSearchPause(bench: Bench): Promise<void> {
  const [person, home] = [join(bench.folder, "person"), join(bench.folder, "home")]
  const folder = join(person, ".claude", "projects", "-work")
  mkdirSync(folder, { recursive: true })
  const megabytes = bench.large ? 1000 : 100
  const file = join(folder, "7aaef370-c7b1-4fb3-acc5-b922e1583b82.jsonl")
  writeClaudeFile(file, { bytes: megabytes * MB, lines: "short" })
  const given = { home, person, text: "parser", samples: 3, warmUp: 1 }
  const found = await bench.measure<Measured>("foreign/measure/search-pause", given)
  const figure = "longest pause during a search; floor: idle"
  bench.report({ figure, data: `${megabytes} MB, a frequent word`, ...found, unit: "ms", under: UNDER.searchPause })
  rmSync(person, { recursive: true })
  rmSync(home, { recursive: true, force: true })
}

async function measureKeep(bench: Bench): Promise<void> {
  const [person, home] = [join(bench.folder, "person"), join(bench.folder, "home")]
  makeHomes(person, SESSIONS)
  const found = await bench.measure<Measured>("foreign/measure/keep", { home, person, samples: 20, warmUp: 5 })
  const data = `${SESSIONS.toLocaleString("en-US")} sessions of two agents`
  bench.report({ figure: "keep, nothing new; floor: a stat of each", data, ...found, unit: "ms", ...LIMITS.keep })
  rmSync(person, { recursive: true })
  rmSync(home, { recursive: true, force: true })
}

/** What an agent waits for at each call, besides starting a program at all. */
async function measureHook(bench: Bench): Promise<void> {
  const folder = join(bench.folder, "hook")
  mkdirSync(folder, { recursive: true })
  const given = { folder, hook: resolve(import.meta.dirname, "../../dist/hook.cjs"), samples: 20, warmUp: 3 }
  const { ours, floor, best } = await bench.measure<Measured>("foreign/measure/hook", given)
  const beyond = { ours: ours - floor, floor, best: { ours: best.ours - best.floor, floor: best.floor } }
  const figure = "hook around an edit, beyond floor: a bare Node"
  bench.report({ figure, data: "1,000 files", ...beyond, unit: "ms", under: UNDER.hook })
  rmSync(folder, { recursive: true })
}
