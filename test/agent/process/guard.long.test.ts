// What a process that was killed can no longer do itself: end its commands.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { createReadStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { confined, onlyWith, SANDBOXES } from "../sandbox/confined.ts"
import { runningIn } from "../setting.ts"

const SOURCE = JSON.stringify(pathToFileURL(resolve("src/agent/process/run-command.ts")).href)
const TSX = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e"]

/** A process that runs a shell command until it is killed. The FIFO ends when nothing runs any more that has it open. */
async function runningElsewhere(command: string, confine?: (folder: string) => Promise<readonly string[]>) {
  const folder = mkdtempSync(join(tmpdir(), "retcon-guard-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const fifo = join(folder, "fifo")
  execFileSync("mkfifo", [fifo])
  const options = {
    command: `exec 9>${fifo}; ${command}`,
    cwd: folder,
    env: { PATH: process.env.PATH ?? "" },
    ...(confine && { confine: await confine(folder) }),
  }
  const program = `import { runCommand } from ${SOURCE}
    const { pid } = runCommand({ ...${JSON.stringify(options)}, onOutput() {} })
    console.log(pid)`
  const parent = spawn(process.execPath, [...TSX, program], { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void parent.kill("SIGKILL"))
  const [group] = (await once(parent.stdout.setEncoding("utf8"), "data")) as [string]
  const held = createReadStream(fifo)
  const [said] = (await once(held.setEncoding("utf8"), "data")) as [string]
  expect(said).toBe("up\n")
  return { parent, group: Number(group), letGo: once(held, "end") }
}

test.each([
  ["a command that waits", "echo up >&9; sleep 1000"],
  ["what it started beside itself", "sleep 1000 & echo up >&9; sleep 1000"],
  ["what has left its process group", "setsid sleep 1000 & (setsid sleep 1000 &); echo up >&9; sleep 1000"],
  ["one that does not end when asked to", "trap '' TERM; echo up >&9; sleep 1000; sleep 1000"],
])("a killed process takes its commands down with it: %s", async (_, command) => {
  const { parent, group, letGo } = await runningElsewhere(command)
  expect(runningIn(group).length).toBeGreaterThan(0)
  parent.kill("SIGKILL")
  await letGo
})

test.each(SANDBOXES)("a killed process takes everything in its sandbox down with it ($by)", async ({ by }) => {
  const command = "setsid sleep 1000 & (env -i setsid sleep 1000 &); echo up >&9; trap '' TERM; sleep 1000; sleep 1000"
  const { parent, group, letGo } = await runningElsewhere(command, async (root) => {
    const how = await confined({}, { root, search: onlyWith(by) }).sandbox.confine()
    return how.how === "confined" ? how.words : []
  })
  expect(runningIn(group).length).toBeGreaterThan(0)
  parent.kill("SIGKILL")
  await letGo
})

test("a command that has ended leaves no process, neither beside it nor here", async () => {
  const program = `import { runCommand } from ${SOURCE}
    const { ended } = runCommand({ command: "exit 3", cwd: "/", env: {}, onOutput() {} })
    console.log(JSON.stringify(await ended))`
  expect(JSON.parse(execFileSync(process.execPath, [...TSX, program], { encoding: "utf8" }))).toEqual({
    how: "exit",
    code: 3,
    left: "nothing",
  })
})
