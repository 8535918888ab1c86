// From the start of the built program on a terminal to its prompt, continuing a long session. Floor: the same with an
// empty session, measured alternately.
import { spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { makeSession } from "../engine/make-session.ts"
import { Scribe } from "../engine/scribe.ts"
import type { Bench } from "../group.ts"
import { interleave } from "../timing.ts"
import { untilPrompt } from "./until-prompt.ts"

/**
 * Most of the floor is loading the program: since that takes less than half as long, the same milliseconds count twice.
 */
const LIMIT = 2
const MB = 1_000_000
const REPEATS = { samples: 9, warmUp: 2 }

export async function measureStart(bench: Bench): Promise<void> {
  if (spawnSync("script", ["--version"]).status !== 0) throw new Error("util-linux' script is needed for a terminal")
  for (const [name, megabytes] of [["100 MB", 100], ...(bench.large ? [["1 GB", 1000] as const] : [])] as const) {
    const [home, small, large] = ["home", "small", "large"].map((each) => join(bench.folder, "start", each)) as [
      string,
      string,
      string,
    ]
    for (const cwd of [small, large]) mkdirSync(cwd, { recursive: true })
    const scribe = new Scribe(home, small, 1)
    scribe.exchange()
    scribe.close()
    makeSession(home, large, "linear", megabytes * MB)
    const found = await interleave(
      async () => (await untilPrompt(home, small)).wall,
      async () => (await untilPrompt(home, large)).wall,
      REPEATS,
    )
    const data = `${name} continued; floor: one round`
    bench.report({ figure: "start to prompt", data, ...found, unit: "ms", limit: LIMIT })
    rmSync(join(bench.folder, "start"), { recursive: true })
  }
}
