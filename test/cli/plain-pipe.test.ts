// retcon --plain whose reader goes away.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

test("a closed pipe ends the program", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-pipe-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home") }
  const child = spawn(process.execPath, [resolve("dist/cli.js"), "--plain", "--model", "practice"], {
    cwd: folder,
    env,
  })
  await new Promise((settle) => child.stdout.once("data", settle))
  child.stdout.destroy()
  child.stdin.on("error", () => undefined)
  child.stdin.write("say hello\nsay again\n")
  const code = await new Promise<number | null>((settle) => child.on("exit", settle))
  expect(code).toBe(0)
})
