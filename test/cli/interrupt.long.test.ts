// A turn that is ended from outside ends in order: its command is gone, its lease too, and what was said is kept.
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { open } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { endlessReply, FAKES, WireServer } from "../provider/wire/server.ts"

/** It holds a pipe open for as long as any of it lives, in a sandbox or not. */
const COMMAND = "run exec 3<> alive; while sleep 0.05; do echo up; done"

const PRACTICE = ["--model", "practice", "--mode", "yolo", COMMAND]

interface RunOptions {
  env?: Record<string, string>
  node?: string[]
  /** It is in mid-turn when it has told so many of these. */
  until?: { type: string; times: number }
}

const OUTPUT = { type: "tool-delta", times: 1 }

/** `retcon run` of what never ends by itself: a command, unless the words say otherwise. */
function running(words = ["--json", ...PRACTICE], { env: more = {}, node = [], until = OUTPUT }: RunOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-run-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [cwd, home] = [join(folder, "work"), join(folder, "home")]
  mkdirSync(cwd)
  const alive = join(cwd, "alive")
  spawnSync("mkfifo", [alive])
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: home, ...more }
  const main = [...node, resolve("dist/cli.cjs")]
  const spawned = (args: string[]) =>
    spawn(process.execPath, [...main, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  const child = spawned(["run", ...words])
  onTestFinished(() => void child.kill("SIGKILL"))
  const said = { out: "", err: "" }
  let up = () => {}
  const started = new Promise<void>((settle) => (up = settle)).then(async () =>
    until === OUTPUT ? open(alive) : undefined,
  )
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text
    if (said.out.split(`"type":"${until.type}"`).length > until.times) up()
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text))
  const ended = new Promise<number | null>((settle) => child.on("close", (code) => settle(code)))
  return {
    child,
    said,
    started,
    ended,
    /** The pipe ends when nobody holds it any more. */
    async commandIsGone() {
      const pipe = await started
      expect(await pipe?.readFile("utf8")).toBe("")
      await pipe?.close()
    },
    files: () => readdirSync(home, { recursive: true, encoding: "utf8" }),
    async log() {
      const reader = spawned(["show", "--json"])
      let text = ""
      for await (const piece of reader.stdout.setEncoding("utf8")) text += String(piece)
      return text
    },
  }
}

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s in mid-turn: exit %i, the command is gone, and the last event says that it was stopped",
  async (signal, code) => {
    const run = running()
    await run.started
    run.child.kill(signal)
    expect(await run.ended).toBe(code)
    expect(JSON.parse(run.said.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      type: "end",
      outcome: "stopped",
    })
    await run.commandIsGone()
    expect(run.files().filter((name) => name.endsWith(".lease"))).toEqual([])
  },
)

test("a reader that goes away in mid-turn stops it quietly: no lease is left, no call is left open", async () => {
  const run = running()
  await run.started
  run.child.stdout.destroy()
  expect(await run.ended).toBe(141)
  expect(run.said.err).toBe("")
  await run.commandIsGone()
  expect(run.files().filter((name) => /lease/.test(name))).toEqual([])
  const log = await run.log()
  expect(log).toContain("while sleep 0.05")
  expect(log).toContain('"interrupt"')
})

test("Ctrl-C while the provider keeps sending closes the connection, and the program ends", async () => {
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  server.reply(endlessReply(FAKES.anthropic))
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "sk-test" }
  const words = ["--json", "--model", "anthropic/claude-sonnet-4-5", "go"]
  // Garbage is collected often, as it is in a longer answer anyway.
  const node = ["--expose-gc", "--import", "data:text/javascript,setInterval(gc, 50).unref()"]
  const run = running(words, { env, node, until: { type: "text-delta", times: 100 } })
  await run.started
  run.child.kill("SIGINT")
  await server.requests[0]?.gone
  expect(await run.ended).toBe(130)
})
