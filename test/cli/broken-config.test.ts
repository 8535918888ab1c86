// A config.json that cannot be understood starts no agent: what it forbids would be lost.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeStage } from "./stage.ts"

describe.each([
  ["a comma too many", '{"deny":["Bash(touch)"],\n}', "it is not JSON"],
  ["deny as a text", '{"deny":"Bash(touch)"}', '"deny" is a list'],
  ["a deny rule that is no text", '{"deny":[1]}', '"deny" is a list'],
  ["a sandbox that does not exist", '{"sandbox":"onn"}', '"sandbox" is one of auto, on, off'],
  ["a network that does not exist", '{"sandbox.network":"of"}', '"sandbox.network" is one of on, off'],
])("%s", (_, text, problem) => {
  function stage() {
    const at = makeStage()
    mkdirSync(at.cwd, { recursive: true })
    mkdirSync(at.home, { recursive: true })
    writeFileSync(join(at.home, "config.json"), text, { mode: 0o600 })
    return at
  }

  test.each([
    ["run", ["run", "--model", "practice", "--mode", "yolo", "run touch ran"]],
    ["--plain", ["--plain", "--model", "practice", "--mode", "yolo", "run touch ran"]],
  ])("%s starts no agent, and says what is wrong in which file", async (_name, words) => {
    const at = stage()
    const { exit, err } = await at.retcon(words, { env: { PATH: process.env.PATH ?? "" } })
    expect(exit).toBe(1)
    expect(err).toContain(`${join(at.home, "config.json")} cannot be used: ${problem}`)
    expect(err).toContain("Fix the file, or move it away.")
    expect(existsSync(join(at.cwd, "ran"))).toBe(false)
  })

  test("sessions can still be read, and doctor tells", async () => {
    const at = stage()
    expect(await at.retcon("ls")).toMatchObject({ exit: 0 })
    const { exit, out, err } = await at.retcon("doctor")
    expect([exit, out]).toEqual([1, expect.not.stringContaining("All good")])
    expect(err).toContain(problem)
  })
})
