import { readFileSync } from "node:fs"
import { expect, it, onTestFinished } from "vitest"
import { startChild } from "../../src/programs/child.ts"
import { temporaryFolder } from "../formats/read-session.ts"

it("sends and receives lines, whole, however they are cut", async () => {
  const { child, lines, line } = started(`process.stdin.on("data", (data) => process.stdout.write("ü" + data + "b"))`)
  child.send({ a: "é" })
  await line()
  await child.end()
  expect(lines).toEqual(['ü{"a":"é"}'])
})

it("ends what it has started with it, even if neither listens", async () => {
  const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`
  const { child, lines, line } = started(
    `${deaf}; console.log(require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}]).pid)`,
  )
  await line()
  expect((await child.end()).ended).toHaveLength(1)
  expect(await child.gone).toMatchObject({ code: "SIGKILL" })
  expect(isRunning(Number(lines[0]))).toBe(false)
})

it("says why it could not be started", async () => {
  const child = startChild({ command: ["/nowhere/agent"], cwd: temporaryFolder(), env: {}, line: () => undefined })
  child.send({ lost: true })
  expect(await child.gone).toMatchObject({ problem: expect.stringContaining("ENOENT") })
  expect(await child.end()).toEqual({ ended: [] })
})

function started(script: string) {
  const lines: string[] = []
  let heard = () => {}
  const child = startChild({
    command: [process.execPath, "-e", script],
    cwd: temporaryFolder(),
    env: {},
    line: (text) => {
      lines.push(text)
      heard()
    },
  })
  onTestFinished(async () => void (await child.end()))
  return { child, lines, line: () => new Promise<void>((settle) => (heard = settle)) }
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
}
