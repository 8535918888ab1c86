// Rules that are edited while an agent runs: what they forbid counts from the next call on, what they allow does not.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeHost } from "../../src/app/host.ts"
import { hostDeps } from "../../src/app/setup/make-host-deps.ts"
import { Bench } from "./bench.ts"

async function running(config: object) {
  const bench = new Bench()
  mkdirSync(bench.home, { recursive: true })
  const own = (value: object | string) =>
    writeFileSync(join(bench.home, "config.json"), typeof value === "string" ? value : JSON.stringify(value), {
      mode: 0o600,
    })
  own(config)
  const options = { model: "practice", sandbox: "off" as const }
  const { deps, close } = await hostDeps(bench.cli(), options)
  onTestFinished(close)
  const host = makeHost(deps, "practice")
  const session = await host.create({ cwd: bench.cwd })
  onTestFinished(async () => void (await session.close()))
  const told: string[] = []
  session.on(({ event }) => {
    if (event.type === "notice") told.push(event.text)
    if (event.type === "approval-start") void session.answer(event.approval, { answer: "no" })
  })
  /** Whether the agent could make the file. */
  async function makes(name: string): Promise<boolean> {
    await session.send({ text: `run touch ${name}` })
    return existsSync(join(bench.cwd, name))
  }
  return { bench, own, host, makes, told }
}

test("a rule that is added to deny applies from then on, even in a folder's own file, and is reported", async () => {
  const { bench, own, makes, told } = await running({ allow: ["Bash(touch)"] })
  expect(await makes("a")).toBe(true)
  own({ allow: ["Bash(touch)"], deny: ["Bash(touch b)"] })
  expect([await makes("b"), await makes("c")]).toEqual([false, true])
  writeFileSync(join(bench.cwd, ".retcon.json"), '{"deny": ["Bash(touch d)"]}')
  expect([await makes("d"), await makes("e")]).toEqual([false, true])
  expect(told).toEqual([
    "The configuration has changed. Forbidden from now on: Bash(touch b)",
    "The configuration has changed. Forbidden from now on: Bash(touch d)",
  ])
})

test("what is taken out of allow is asked about; what is added to it, or taken out of deny, counts at the next start", async () => {
  const { own, makes, told } = await running({ allow: ["Bash(touch)"], deny: ["Bash(touch b)"] })
  expect([await makes("a"), await makes("b")]).toEqual([true, false])
  own({ allow: ["Bash(touch)", "Bash"] })
  expect(await makes("b")).toBe(false)
  own({ allow: ["Bash"] })
  expect(await makes("c")).toBe(false)
  expect(told).toEqual(["The configuration has changed. No longer allowed: Bash(touch)"])
})

test("a file that can no longer be read is reported once, and what was known still counts", async () => {
  const { own, makes, told } = await running({ allow: ["Bash(touch)"], deny: ["Bash(touch b)"] })
  own('{"deny": [')
  expect([await makes("a"), await makes("b")]).toEqual([true, false])
  expect(told).toEqual([expect.stringContaining("has changed and cannot be used: it is not JSON")])
})

test("a session of another folder is bound by that folder's rules, and does not open without them", async () => {
  const { bench, host } = await running({})
  const other = join(bench.folder, "other")
  mkdirSync(other)
  writeFileSync(join(other, ".retcon.json"), '{"deny": ["Bash(touch)"]}')
  const session = await host.create({ cwd: other })
  expect((await session.permissions()).deny.map(({ rule }) => rule)).toEqual(["Bash(touch)"])
  await session.close()
  writeFileSync(join(other, ".retcon.json"), '{"deny": [')
  const { deps, close } = await hostDeps(bench.cli(), { model: "practice" })
  onTestFinished(close)
  await expect(makeHost(deps, "practice").open(session.id)).rejects.toThrow(/cannot be used: it is not JSON/)
})
