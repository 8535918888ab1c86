// The program as it is installed: its size, and the CPU time of short calls and of the terminal's first frame. Floor of
// the calls: node with nothing to do, measured alternately. Floor of the size: retcon's own source.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { Scribe } from "../engine/scribe.ts"
import type { Bench } from "../group.ts"
import { interleave } from "../timing.ts"
import { untilPrompt } from "./until-prompt.ts"

const MB = 1_000_000
/**
 * MB, and times the floor. The warm-up leaves the program in compiled form, as every call but the first after an update
 * finds it.
 */
const LIMITS = { size: 9, version: { limit: 1.2 }, ls: { limit: 2.3, goal: 2 }, frame: { limit: 3.3, goal: 3 } }
const REPEATS = { samples: 15, warmUp: 3 }

export async function measureProgram(bench: Bench): Promise<void> {
  if (bench.wants("size")) measureSize(bench)
  if (bench.wants("calls")) await measureCalls(bench)
}

function measureSize(bench: Bench): void {
  const printed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { encoding: "utf8" })
  const [{ unpackedSize }] = JSON.parse(printed) as [{ unpackedSize: number }]
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((name) => statSync(join("src", name)))
  const own = sources.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
  const sizes = { ours: unpackedSize / MB, floor: own / MB }
  bench.report({ figure: "installed", data: "with all it needs", ...sizes, unit: "MB", under: LIMITS.size })
}

async function measureCalls(bench: Bench): Promise<void> {
  const [home, cwd] = [join(bench.folder, "calls", "home"), join(bench.folder, "calls", "project")]
  mkdirSync(cwd, { recursive: true })
  const scribe = new Scribe(home, cwd, 1)
  scribe.exchange()
  scribe.close()
  const calls = [
    {
      figure: "CPU of retcon --version",
      ...LIMITS.version,
      ours: () => cpuOf(home, cwd, "dist/cli.cjs", "--version"),
    },
    { figure: "CPU of retcon ls", ...LIMITS.ls, ours: () => cpuOf(home, cwd, "dist/cli.cjs", "ls") },
    {
      figure: "CPU until the terminal's first frame",
      ...LIMITS.frame,
      ours: async () => (await untilPrompt(home, cwd)).cpu,
    },
  ]
  for (const { ours, ...row } of calls) {
    const found = await interleave(() => cpuOf(home, cwd, "-e", "0"), ours, REPEATS)
    bench.report({ ...row, data: "a session of one round; floor: node -e 0", ...found, unit: "ms" })
  }
}

/** Milliseconds in the program and in the system, as reported by bash. */
function cpuOf(home: string, cwd: string, script: string, ...words: string[]): number {
  const { PATH = "" } = process.env
  const node = [process.execPath, script.endsWith(".cjs") ? resolve(script) : script, ...words]
  const timed = ["-c", 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null', "bash", ...node]
  const { stderr, status } = spawnSync("bash", timed, {
    cwd,
    env: { PATH, HOME: home, RETCON_HOME: home },
    encoding: "utf8",
  })
  const [user = Number.NaN, system = Number.NaN] = (stderr.trim().split("\n").at(-1) ?? "").split(" ").map(Number)
  if (status !== 0 || Number.isNaN(user + system)) throw new Error(`${node.join(" ")} failed: ${stderr}`)
  return (user + system) * 1000
}
