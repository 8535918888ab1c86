// The built program as an editor starts it, and what a person gets who starts it.
import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { text } from "node:stream/consumers"
import { beforeEach, expect, test } from "vitest"
import { Bench } from "../cli/bench.ts"

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})

test("it answers with nothing but messages, and ends when the editor closes its end", async () => {
  const env = { PATH: process.env.PATH ?? "", HOME: bench.home, RETCON_HOME: bench.home }
  const child = spawn(process.execPath, [resolve("dist/cli.cjs"), "acp"], { cwd: bench.cwd, env })
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
  const exit = new Promise((settle) => child.on("close", settle))
  const said = text(child.stdout)
  ask(1, "initialize", { protocolVersion: 1 })
  ask(2, "session/new", { cwd: bench.cwd, mcpServers: [] })
  child.stdin.write("nonsense\n")
  ask(3, "nonsense", {})
  child.stdin.end()
  expect(await exit).toBe(0)
  const lines = (await said).trimEnd().split("\n")
  const answers = lines.map((line) => JSON.parse(line) as { id: number; error?: { code: number } })
  expect(answers.find(({ id }) => id === 1)).toMatchObject({
    result: { protocolVersion: 1, agentInfo: { name: "retcon" } },
  })
  expect(answers.find(({ id }) => id === 3)).toMatchObject({ error: { code: -32601 } })
})

test("a person is told that an editor starts it", async () => {
  const { exit, err } = await bench.run(["acp"], { answer: "" })
  expect([exit, err]).toEqual([2, expect.stringContaining("An editor starts this command, not a person.")])
})

test("it prints what to add to an editor's settings, and the command for any other", async () => {
  const zed = await bench.run(["acp", "install", "zed"])
  expect(JSON.parse(zed.out)).toMatchObject({
    agent_servers: { retcon: { type: "custom", args: [expect.any(String), "acp"] } },
  })
  const other = await bench.run(["acp", "install", "helix"])
  expect(other.out).toMatch(/cli\.cjs acp\n$/)
  expect(other.err).toContain("Known: zed, jetbrains.")
})
