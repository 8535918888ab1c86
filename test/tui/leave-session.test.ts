import { describe, expect, test } from "vitest"
import { makeStage, type Stage } from "./stage.ts"

async function working(): Promise<Stage> {
  const stage = await makeStage({ columns: 120, rows: 40 })
  stage.enter('run "echo on; sleep 30"')
  await stage.sees("  on")
  return stage
}

describe("another session while the agent works", () => {
  test("/new says that the turn was stopped, and where it is", async () => {
    const stage = await working()
    stage.enter("/new")
    await stage.sees("! Stopped.")
    await stage.sees("! The agent in the previous session was stopped.")
    await stage.sees("Continue there with /resume")
    await stage.sees("new session")
  })

  test("what was queued comes back into the editor", async () => {
    const stage = await working()
    stage.enter("say later")
    await stage.sees("queued: say later")
    stage.enter("/new")
    await stage.sees("The agent in the previous session was stopped")
    await stage.sees(/─\n❯ say later\n─/)
    stage.press("enter")
    await stage.sees("later")
    await stage.idle(1)
    expect((await stage.host.host.list()).sessions).toHaveLength(2)
  })

  test("/resume says so too, and nothing is stopped by only looking at the list", async () => {
    const stage = await makeStage({ columns: 120, rows: 40 })
    stage.enter("say first")
    await stage.idle(1)
    stage.enter("/new")
    await stage.sees("This is a new session.")
    stage.enter('run "echo on; sleep 30"')
    await stage.sees("  on")
    stage.enter("/resume")
    await stage.sees("say first")
    stage.press("escape")
    await stage.sees("● Bash")
    expect(stage.text()).not.toContain("Stopped.")
    stage.enter("/resume")
    await stage.sees(/Sessions/)
    stage.press("down")
    stage.press("enter")
    await stage.sees("! The agent in the previous session was stopped.")
  })

  test("says nothing of it when no turn runs", async () => {
    const stage = await makeStage({ columns: 120, rows: 40 })
    stage.enter("say first")
    await stage.idle(1)
    stage.enter("/new")
    await stage.sees("This is a new session.")
    expect(stage.text()).not.toContain("was stopped")
  })
})
