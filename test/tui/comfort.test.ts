// What makes the terminal pleasant to sit in, point by point.
import { describe, expect, test } from "vitest"
import type { Status } from "../../src/protocol/shapes.ts"
import { completion } from "../../src/tui/editor/editor-completion.ts"
import { statusLine } from "../../src/tui/screen/status-line.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { scriptedModel } from "../test-host.ts"
import { makeStage } from "./stage.ts"

describe("what was typed before", () => {
  test("Up and Ctrl+R know the prompts of other sessions in this folder", async () => {
    const pastPrompts = async () => ["an old prompt", "say something else"]
    const stage = await makeStage({ rows: 30, parts: { pastPrompts } })
    stage.enter("say one")
    await stage.idle(1)
    stage.send("\u0012")
    await stage.sees(/History[\s\S]*› say one *\n {2}say something else *\n {2}an old prompt/)
    stage.type("old")
    await stage.sees("1 of 3 prompts")
    stage.press("enter")
    await stage.sees(/─\n❯ an old prompt\n─/)
    stage.press("ctrl+c", "up", "up")
    await stage.sees(/─\n❯ say something else\n─/)
  })
})

describe("moving in time by keys", () => {
  test("Alt+← goes back, again and again; Alt+→ comes forward, and what one has typed is left alone", async () => {
    const stage = await makeStage({ rows: 50 })
    for (const n of [1, 2, 3]) {
      stage.enter(`say ${n}`)
      await stage.idle(n)
    }
    stage.send("\u001b[1;3D")
    await stage.sees("round 2 of 3")
    await stage.sees(/─\n❯ say 3\n─/)
    stage.send("\u001b[1;3D")
    await stage.sees("round 1 of 3")
    stage.send("\u001b[1;3C")
    await stage.sees("round 2 of 3")
    stage.send("\u001b[1;3C")
    await stage.sees(/ round 3 ·/)
    stage.type("my own words")
    stage.send("\u001b[1;3D")
    stage.type("X")
    await stage.sees(/─\n❯ my own Xwords\n─/)
    await stage.sees(/ round 3 ·/)
  })

  test("an undo says what it undid; a withdrawn prompt is not a branch", async () => {
    const model = scriptedModel([{ text: "first" }, { hangs: true }, { text: "second" }])
    const stage = await makeStage({ rows: 40, host: { model: async () => model } })
    stage.enter("say one")
    await stage.idle(1)
    stage.enter("never mind")
    await stage.sees("Thinking")
    stage.press("escape")
    await stage.sees("Withdrawn")
    await stage.sees(/─\n❯ never mind\n─/)
    stage.press("ctrl+c")
    stage.enter("say two")
    await stage.idle(2)
    expect(stage.text()).not.toContain("branches")
    stage.enter("/undo")
    await stage.sees("─── Undone: your prompt “say two” ─")
  })
})

test("the window's title says which folder, and whether the agent works; leaving says how to continue", async () => {
  const stage = await makeStage({ host: { model: async () => scriptedModel([{ text: "a", hangs: true }]) } })
  await stage.until(() => stage.title() === "work · retcon")
  stage.enter("go")
  await stage.until(() => stage.title() === "● work · retcon" && stage.text().includes("\na\n"))
  stage.press("escape")
  await stage.until(() => stage.title() === "work · retcon")
  stage.press("ctrl+d")
  await stage.ended
  const [listed] = (await stage.host.host.list()).sessions
  await stage.sees(`Continue with: retcon -r ${listed?.id.slice(-6)}`)
})

test("while the agent works, seconds and tokens count", async () => {
  let now = 0
  const model = scriptedModel([{ text: "x".repeat(8_000), hangs: true }])
  const stage = await makeStage({ host: { model: async () => model }, parts: { elapsed: () => now } })
  stage.enter("go")
  await stage.sees("xxx")
  now = 7_000
  await stage.sees(/Writing 7 s · ↓ 2k tokens · esc stops/)
})

describe("models", () => {
  const models = async () => [
    { value: "anthropic/opus", about: "200k tokens", missing: "set ANTHROPIC_API_KEY" },
    { value: "practice", about: "a few fixed rules" },
  ]

  test("without a key it says so, and what to do", async () => {
    const stage = await makeStage({ parts: { noKey: true } })
    await stage.sees("No API key, so this is the practice model. Set ANTHROPIC_API_KEY, or use /model")
  })

  test("/model also lets you choose how much it thinks; the status shows it", async () => {
    const stage = await makeStage({ parts: { models } })
    stage.enter("/model")
    await stage.sees(/^Model +thinking ‹ default ›$/m)
    await stage.sees(/› ● practice/)
    stage.press("left", "right", "right", "right")
    await stage.sees("‹ low ›")
    stage.press("enter")
    await stage.sees("The model is now practice/rules, thinking: low.")
    await stage.sees(/ practice\/rules \(low\) ·/)
    stage.enter("/model")
    await stage.sees("‹ low ›")
    stage.press("left", "left", "left", "left")
    await stage.sees("‹ off ›")
    stage.press("escape")
    await stage.sees(/ practice\/rules \(low\) ·/)
  })

  test("/model shows what can be chosen first; what lacks a key is named with it, and not chosen", async () => {
    const stage = await makeStage({ parts: { models } })
    stage.enter("/model")
    await stage.sees(/ practice +a few fixed rules\n +anthropic\/opus +set ANTHROPIC_API_KEY/)
    stage.type("opus")
    stage.press("enter")
    await stage.sees("anthropic/opus needs a key: set ANTHROPIC_API_KEY")
    for (const _ of "opus") stage.press("backspace")
    stage.press("enter")
    await stage.sees("The model is now practice/rules.")
  })
})

test("a prompt that was given on the command line is sent", async () => {
  const stage = await makeStage({ parts: { prompt: "say from the shell" } })
  await stage.sees("❯ say from the shell")
  await stage.idle(1)
})

test("@ says so while not all files have been examined", async () => {
  const offered = completion({ commands: () => [], files: async () => ({ paths: ["a.ts"], looking: 9_000 }) })
  const { signal } = new AbortController()
  const found = await offered.getSuggestions(["@a"], 0, 2, { signal })
  expect(found?.items.map(({ label }) => label)).toEqual(["a.ts", "… still looking: 9,000 paths so far"])
})

test("the status keeps cost, changed files and the branch at 80 columns", () => {
  const status = {
    model: "anthropic/claude-opus-4-6",
    mode: "default",
    round: 12,
    rounds: 15,
    branches: 3,
    context: { used: 41_000, window: 200_000, compactsAt: 160_000 },
    totals: { cost: 1.234 },
    repository: "feature/login",
    filesChanged: 3,
  } as unknown as Status
  const plain = makeTheme({ colours: false })
  expect(statusLine(status, 80, plain)).toBe(
    " round 12 of 15, 3 branches · asks · 21% · $1.23 · 3 files · feature/login",
  )
  expect(statusLine(status, 60, plain)).toContain("$1.23 · 3 files")
  expect(statusLine(status, 130, plain)).toContain(
    "claude-opus-4-6 · asks first · ▰▰▱▱▱▱▱▱┃▱ 21% · $1.23 · 3 files changed",
  )
})

test("cost continues where the session was left", async () => {
  const before = { input: 1_000, output: 500, cacheRead: 0, cacheWrite: 0, cost: 0.25, saved: 0 }
  const first = await makeStage()
  first.enter("say one")
  await first.idle(1)
  first.press("ctrl+d")
  await first.ended
  const parts = { start: { kind: "continue" as const }, spentBefore: async () => before }
  const stage = await makeStage({ with: first.host, parts })
  await stage.sees("$0.25")
  stage.enter("/cost")
  await stage.sees(/Tokens in this session[\s\S]*written by the model +500[\s\S]*\$0\.2500/)
})
