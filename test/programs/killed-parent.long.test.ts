import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { isRunning } from "../../src/holder/process.ts"

test("if retcon is killed, the programs that it drives end with it, even those that ignore everything", async () => {
  const parent = spawn(process.execPath, ["--import", "tsx", resolve("test/programs/drives-a-program.ts")])
  onTestFinished(() => void parent.kill("SIGKILL"))
  const [line] = (await once(parent.stdout, "data")) as [Buffer]
  const pid = Number(line.toString())
  expect(isRunning(pid, "")).toBe(true)
  parent.kill("SIGKILL")
  await expect.poll(() => isRunning(pid, "")).toBe(false)
})
