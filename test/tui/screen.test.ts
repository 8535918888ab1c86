import { describe, expect, test } from "vitest"
import { scriptedModel } from "../test-host.ts"
import { makeHeadless } from "./headless.ts"
import { makeStage } from "./stage.ts"

describe("the scrollback is the terminal's own", () => {
  test("a change of width or height clears nothing that was printed, by us or before us", async () => {
    const stage = await makeStage({ columns: 80, rows: 12 })
    stage.enter("count to 60")
    await stage.idle(1)
    for (const [columns, rows] of [
      [60, 12],
      [100, 20],
      [61, 8],
      [80, 12],
    ] as const) {
      stage.resize(columns, rows)
      await stage.sees(/round 1/)
    }
    const all = stage.all().join("\n")
    expect(all.match(/❯ count to 60/g)).toHaveLength(1)
    expect(all).toMatch(/\b1\b[\s\S]*\b30\b[\s\S]*\b60\b/)
    expect(all.match(/round 1 ·/g)).toHaveLength(1)
    expect(stage.written()).not.toContain("\u001b[3J")
    expect(stage.written()).not.toContain("\u001b[2J")
  })

  test("a window that is dragged changes its width faster than we are told: nothing above is lost", async () => {
    const stage = await makeStage({ columns: 80, rows: 20 })
    stage.enter("count to 60")
    await stage.idle(1)
    const before = stage.all().filter((line) => /^\d+/.test(line))
    for (const columns of [60, 120, 47, 100, 60, 33, 120, 80]) stage.resize(columns, 20)
    await stage.sees(/\n─{80}\n❯ Ask[^\n]*\n─{80}\n round 1/)
    expect(stage.all().filter((line) => /^\d+/.test(line))).toEqual(before)
  })

  test("a long answer goes to the scrollback while it streams; each line is there once", async () => {
    const stage = await makeStage({ rows: 14 })
    const lines = Array.from({ length: 120 }, (_, i) => `paragraph ${i + 1}.`)
    stage.enter(`say ${JSON.stringify(lines.join("\n\n"))}`)
    await stage.idle(1)
    const said = stage.all().filter((line) => line.startsWith("paragraph"))
    expect(said).toEqual(lines)
  })

  test("a table longer than the screen is drawn whole when it ends, also when it is stopped: each row once", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `| row-${i + 1} | what it is for |`)
    const table = ["A table:", "", "| name | about |", "|---|---|", ...rows].join("\n")
    const model = scriptedModel([
      { text: `${table}\n\nAfter it.` },
      { text: table.replaceAll("row-", "again-"), hangs: true },
    ])
    const stage = await makeStage({ rows: 14, host: { model: async () => model } })
    const shown = () => stage.all().flatMap((line) => line.match(/(?:row|again)-\d+/g) ?? [])
    const names = rows.map((_, i) => `row-${i + 1}`)
    stage.enter("go")
    await stage.idle(1)
    await stage.sees("After it.")
    expect(shown()).toEqual(names)
    stage.enter("again")
    await stage.sees("again-40")
    stage.press("escape")
    await stage.sees("Stopped.")
    expect(shown()).toEqual([...names, ...names.map((name) => name.replace("row", "again"))])
  })

  test("a clock that is set back by an hour stops nothing: what is typed is drawn at once", async () => {
    let back = 0
    const stage = await makeStage({ parts: { now: () => Date.now() - back } })
    stage.enter("say one")
    await stage.idle(1)
    back = 3_600_000
    stage.enter("say two")
    await stage.sees(/^two/m)
    await stage.idle(2)
  })

  test("leaving takes the editor away and leaves the conversation and the cursor below it", async () => {
    const stage = await makeStage()
    stage.enter("say bye")
    await stage.idle(1)
    stage.press("ctrl+d")
    await stage.ended
    await stage.until(() => !stage.text().includes("────"))
    expect(stage.text()).toContain("bye")
    expect(stage.cursor().shown).toBe(true)
    const rows = stage.screen()
    expect(rows.slice(stage.cursor().row).join("").trim()).toBe("")
  })

  test("an overlay leaves the screen as it was", async () => {
    const stage = await makeStage()
    stage.enter("say one")
    await stage.idle(1)
    const before = stage.text()
    stage.press("escape", "escape")
    await stage.sees("go back to it")
    stage.press("escape")
    await stage.until(() => stage.text() === before)
  })

  test("ctrl+z gives the terminal back, and fg draws again below", async () => {
    let go: () => void = () => undefined
    let suspended = 0
    const stage = await makeStage({
      parts: {
        suspend: () => void suspended++,
        onContinue(call) {
          go = call
          return () => undefined
        },
      },
    })
    stage.type("half a")
    stage.press("ctrl+z")
    await stage.until(() => suspended === 1 && !stage.text().includes("────"))
    expect(stage.started).toBe(false)
    stage.terminal.write("[1]+ Stopped\r\n$ fg\r\n")
    go()
    await stage.sees(/\$ fg[\s\S]*─\n❯ half a\n─/)
    stage.type(" word")
    await stage.sees(" half a word")
  })

  test("when the terminal goes away the session is closed and nothing is lost", async () => {
    const stage = await makeStage()
    stage.enter('run "echo on; sleep 30"')
    await stage.sees("  on")
    stage.close()
    await stage.ended
    expect(stage.started).toBe(false)
    const again = await makeStage({ with: stage.host, parts: { start: { kind: "continue" } } })
    await again.sees("❯ run")
    await again.sees(/ round 1 /)
  })

  test("a narrow and low terminal still works", async () => {
    const stage = await makeStage({ columns: 30, rows: 8 })
    stage.enter("say something that is wider than thirty columns")
    await stage.idle(1)
    expect(stage.screen().every((line) => line.length <= 30)).toBe(true)
  })
})

describe("notifications", () => {
  test("a turn that ends while the window is not in focus notifies; in focus it does not", async () => {
    const stage = await makeStage({ parts: { notify: "desktop" } })
    stage.enter("say one")
    await stage.idle(1)
    expect(stage.written()).not.toContain("\u001b]9;")
    stage.enter('run "while [ ! -e go ]; do :; done"')
    await stage.sees("● Bash")
    stage.send("\u001b[O")
    const { writeFileSync } = await import("node:fs")
    writeFileSync(`${stage.host.root}/go`, "")
    await stage.until(() => stage.written().includes("\u001b]9;The agent is done\u0007"))
    expect(stage.written()).toContain("\u001b]777;notify;retcon;The agent is done\u0007")
  })
})

test("a headless terminal reflows, so that these tests mean something", async () => {
  const bare = makeHeadless(20, 5)
  bare.terminal.write(`${"a".repeat(20)}\r\nb`)
  await bare.until(() => bare.screen()[1] === "b")
  bare.resize(10, 5)
  expect(bare.screen().slice(0, 2)).toEqual(["a".repeat(10), "a".repeat(10)])
})

describe("a session that nobody wrote in", () => {
  test("leaves no file; the first prompt makes one", async () => {
    const stage = await makeStage()
    stage.enter("/help")
    await stage.sees("[Commands]")
    stage.press("escape")
    stage.enter("/tree")
    await stage.sees("Tree")
    stage.press("escape")
    expect((await stage.host.host.list()).sessions).toEqual([])
    stage.enter("say hello")
    await stage.idle(1)
    expect((await stage.host.host.list()).sessions).toMatchObject([{ prompts: 1 }])
  })
})
