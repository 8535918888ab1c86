// From the call of the built program on a terminal to its prompt, with a long session continued.
// Floor: the same with an empty session, taken in turn.
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { makeSession } from "../engine/make-session.ts"
import { Scribe } from "../engine/scribe.ts"
import type { Bench } from "../group.ts"
import { interleave } from "../timing.ts"

const LIMIT = 1.3
const MB = 1_000_000
const REPEATS = { samples: 9, warmUp: 2 }
const CLI = resolve("dist/cli.js")
/** The status line under the editor: one can type. */
const PROMPT = /round \d/

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
      () => timeStart(home, small),
      () => timeStart(home, large),
      REPEATS,
    )
    const data = `${name} continued; floor: one round`
    bench.report({ figure: "start to prompt", data, ...found, unit: "ms", limit: LIMIT })
    rmSync(join(bench.folder, "start"), { recursive: true })
  }
}

/** Milliseconds. The program is stopped as soon as one could type. */
function timeStart(home: string, cwd: string): Promise<number> {
  const command = `exec ${process.execPath} ${CLI} -c --model practice`
  const { PATH = "" } = process.env
  const env = { PATH, HOME: home, RETCON_HOME: home, TERM: "xterm-256color" }
  const start = performance.now()
  const child = spawn("script", ["-qfec", command, "/dev/null"], { cwd, env, stdio: ["pipe", "pipe", "inherit"] })
  return new Promise((settle, refuse) => {
    let shown = ""
    let took: number | undefined
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      if (took !== undefined || !PROMPT.test(shown)) return
      took = performance.now() - start
      child.stdin.write("\u0004")
    })
    child.on("error", refuse)
    child.on("close", () => {
      if (took === undefined) refuse(new Error(`There was no prompt:\n${shown}`))
      else settle(took)
    })
  })
}
