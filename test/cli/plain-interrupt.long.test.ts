// Ctrl-C at `retcon --plain`: it stops what works, and leaves when nothing does.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { until, within } from "../within.ts"

const LOOP = "run touch started; while sleep 0.05; do echo up; done"

/** A person at the real program; `sees` resolves once something new was written that has the text. */
function plain() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-plain-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [cwd, home] = [join(folder, "work"), join(folder, "home")]
  mkdirSync(cwd)
  const words = [resolve("dist/cli.cjs"), "--plain", "--model", "practice", "--mode", "yolo"]
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: home }
  const child = spawn(process.execPath, words, { cwd, env, stdio: "pipe" })
  onTestFinished(() => void child.kill("SIGKILL"))
  let written = ""
  let read = 0
  let wake = () => {}
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written += text
    wake()
  })
  const ended = new Promise<number | null>((settle) => child.on("close", (code) => settle(code)))
  return {
    child,
    ended,
    type: (line: string) => void child.stdin.write(`${line}\n`),
    sees: async (text: string) => {
      while (!written.slice(read).includes(text)) {
        await within(new Promise<void>((settle) => (wake = settle)), () => `no "${text}" in\n${written.slice(read)}`)
      }
      read = written.indexOf(text, read) + text.length
    },
    runs: () => until(() => existsSync(join(cwd, "started"))),
    leases: () => readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".lease")),
  }
}

test("in mid-turn it stops the turn; the next prompt is answered; then it leaves, in order", async () => {
  const { child, ended, type, sees, runs, leases } = plain()
  await sees("/help for help")
  type(LOOP)
  await runs()
  child.kill("SIGINT")
  await sees("Press Ctrl-C again to quit.")
  type("say still here")
  await sees("still here")
  await sees("Turn done.")
  child.kill("SIGINT")
  expect(await ended).toBe(130)
  expect(leases()).toEqual([])
})

test("what ends the program in mid-turn ends it in order", async () => {
  const { child, ended, type, sees, leases } = plain()
  await sees("/help for help")
  type("run sleep 60")
  await sees("Tool: ")
  child.kill("SIGTERM")
  expect(await ended).toBe(143)
  expect(leases()).toEqual([])
})
