import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeStage } from "./stage.ts"

describe("approvals", () => {
  test("show exactly what would change, and y does it once", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter("create a.txt with hello")
    await stage.sees("Allow Write a.txt?")
    expect(stage.text()).toContain("+hello")
    expect(existsSync(join(stage.host.root, "a.txt"))).toBe(false)
    stage.press("enter")
    await stage.sees("The agent is waiting")
    stage.type("y")
    await stage.idle(1)
    expect(readFileSync(join(stage.host.root, "a.txt"), "utf8")).toBe("hello")
    stage.enter('run "rm a.txt"')
    await stage.sees("$ rm a.txt")
    stage.type("n")
    await stage.idle(2)
    expect(existsSync(join(stage.host.root, "a.txt"))).toBe(true)
  })

  test("what was allowed is shown to run", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter('run "while [ ! -e go ]; do :; done"')
    await stage.sees("Allow Bash")
    stage.type("y")
    await stage.sees("Running Bash")
    writeFileSync(join(stage.host.root, "go"), "")
    await stage.idle(1)
  })

  test("a: the same is not asked again in this session", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter('run "echo a"')
    await stage.sees("$ echo a")
    stage.type("a")
    await stage.idle(1)
    stage.enter('run "echo a"')
    await stage.idle(2)
    expect(stage.text()).not.toContain("Allow")
  })

  test("r: no, with a reason that the agent gets", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter('run "rm -rf build"')
    await stage.sees("$ rm -rf build")
    stage.type("r")
    await stage.sees("Why not?")
    stage.enter("use git clean instead")
    await stage.idle(1)
    expect(stage.all().join("\n")).toContain("use git clean instead")
  })

  test("a draft is no reason: it waits, and is in the editor again when the question is answered or left", async () => {
    let clock = 1_000_000
    const stage = await makeStage({ host: { mode: "default" }, rows: 40, parts: { now: () => clock } })
    stage.enter('run "rm -rf build"')
    stage.type("for later")
    await stage.sees("$ rm -rf build")
    clock += 1000
    stage.press("escape")
    stage.type("r")
    await stage.sees(/─\n❯\n─+\n Why not\?/)
    stage.press("escape")
    await stage.sees("Allow Bash")
    clock += 1000
    stage.type("r")
    await stage.sees(/─\n❯\n─+\n Why not\?/)
    stage.enter("use git clean instead")
    await stage.idle(1)
    await stage.sees(/─\n❯ for later\n─/)
    expect(stage.all().join("\n")).toContain("They say: use git clean instead")
  })

  test("what is typed after a question was withdrawn is a prompt, not its reason", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter('run "rm -rf build"')
    await stage.sees("$ rm -rf build")
    stage.type("r")
    await stage.sees("Why not?")
    stage.press("ctrl+c")
    await stage.sees("! Stopped.")
    stage.enter("say hello")
    await stage.sees("❯ say hello")
    await stage.idle(2)
  })

  test("stopping while one waits withdraws it: nothing happens", async () => {
    const stage = await makeStage({ host: { mode: "default" }, rows: 40 })
    stage.enter("create a.txt with hello")
    await stage.sees("Allow Write a.txt?")
    stage.press("escape")
    await stage.sees("! Stopped.")
    expect(stage.text()).not.toContain("Allow Write")
    expect(existsSync(join(stage.host.root, "a.txt"))).toBe(false)
  })

  test("a key that was meant for the editor is not an answer", async () => {
    let clock = 1_000_000
    const stage = await makeStage({ host: { mode: "default" }, rows: 40, parts: { now: () => clock } })
    stage.enter('run "sleep 0; echo asked"')
    stage.type("may")
    await stage.sees("$ sleep 0; echo asked")
    stage.type("y")
    await stage.sees("You are typing")
    clock += 1000
    stage.type("n")
    await stage.sees(/❯ mayyn\n/)
    stage.press("escape")
    stage.type("n")
    await stage.idle(1)
    await stage.sees(/─\n❯ mayyn\n─/)
  })
})
