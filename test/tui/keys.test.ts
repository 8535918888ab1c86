import { describe, expect, test } from "vitest"
import { noteLines } from "../../src/tui/conversation/note-lines.ts"
import { keyMap, parseKeys } from "../../src/tui/terminal/key-map.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import { makeStage } from "./stage.ts"

describe("the setting keys", () => {
  test("an action gets another key, or several", () => {
    const { keys, problems } = parseKeys({ tree: "ctrl+y", details: ["f2", "alt+o"] })
    expect(problems).toEqual([])
    expect(keyMap(keys)).toMatchObject({ tree: ["ctrl+y"], details: ["f2", "alt+o"], stop: ["escape"] })
  })

  test.each([
    [{ tree: "hyper+y" }, /"hyper\+y" is not a key, .*; "tree" stays ctrl\+t/],
    [{ tree: "y" }, /"y" is not a key/],
    [{ tree: 7 }, /7 is not a key/],
    [{ tree: [] }, /\[\] is not a key/],
    [{ fly: "ctrl+y" }, /there is no action "fly"/],
    ["ctrl+y", /"keys" must be an object/],
  ])("what cannot be used is named and ignored: %j", (setting, problem) => {
    const { keys, problems } = parseKeys(setting)
    expect(problems.join()).toMatch(problem)
    expect(keyMap(keys)).toEqual(keyMap())
  })

  test.each([
    [{ tree: "ctrl+o" }, '"keys": ctrl+o belongs to "details"; "tree" stays ctrl+t'],
    [{ clear: ["f5", "ctrl+t"] }, '"keys": ctrl+t belongs to "tree"; "clear" stays ctrl+c'],
    [{ tree: "f3", details: "f3" }, '"keys": f3 belongs to "details"; "tree" stays ctrl+t'],
  ])("a key that another action has is named, and the action keeps its own: %j", (setting, problem) => {
    const { keys, problems } = parseKeys(setting)
    expect(problems).toEqual([problem])
    expect(keyMap(keys)).toMatchObject({ tree: ["ctrl+t"], clear: ["ctrl+c"] })
  })

  test("two actions may trade their keys", () => {
    expect(parseKeys({ tree: "ctrl+o", details: "ctrl+t" }).problems).toEqual([])
  })

  test("the new key works, the old one does not, and /help shows it", async () => {
    const stage = await makeStage({ rows: 70, parts: { keys: { details: ["ctrl+z"], suspend: ["f2"] } } })
    stage.enter("/help")
    await stage.sees("[Commands]")
    stage.press("tab")
    await stage.sees(/ctrl\+z +show folded output in full/)
    stage.press("escape")
    await stage.sees("❯ Ask")
    stage.press("ctrl+o")
    stage.press("ctrl+z")
    await stage.sees("Nothing is folded yet")
  })
})

describe("hints", () => {
  test("name the key that was chosen: under folded output, a long note and a long question", async () => {
    const keys = { details: ["f2"] }
    const stage = await makeStage({ columns: 60, rows: 70, host: { mode: "default" }, parts: { keys } })
    stage.enter('run "seq 1 30"')
    await stage.sees("Allow Bash")
    stage.type("y")
    await stage.sees("… 24 more lines (f2)")
    const small = await makeStage({ columns: 60, rows: 20, host: { mode: "default" }, parts: { keys } })
    small.enter(`run "${"echo a long command; ".repeat(60)}"`)
    await small.sees(/lines 1–\d+ of \d+: press space to read on/)
    small.send("\u001bOQ")
    await small.sees("Details")
    const told = { checkpoint: 2, discards: 3, note: "a long note ".repeat(40), returnedTo: null }
    expect(noteLines(told, 60, makeTheme({ colours: false }), "f2").join("\n")).toMatch(/more characters \(f2\)/)
  })
})

describe("/help", () => {
  test.each([60, 80, 120])("shows all of every line at %i columns", async (columns) => {
    const stage = await makeStage({ columns, rows: 90 })
    stage.type("?")
    await stage.sees("[Commands]")
    expect(stage.text().replace(/\s+/g, " ")).toContain("restore files; the conversation stays")
    stage.press("tab")
    await stage.sees("run a command yourself")
    expect(stage.text()).not.toContain("…\n")
    expect(stage.screen().every((line) => line.length <= columns)).toBe(true)
  })
})

test("what a backtrack returned to is cut with an ellipsis, and never in the middle of a character", () => {
  const told = {
    checkpoint: 1,
    discards: 2,
    note: "👩‍👩‍👧‍👦".repeat(400),
    returnedTo: `${"x".repeat(197)}👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦`,
  }
  const lines = noteLines(told, 400, makeTheme({ colours: false }), "ctrl+o").join("\n")
  expect(lines).toContain(`Returned to: ${"x".repeat(197)}👩‍👩‍👧‍👦…\n`)
  expect(lines).toMatch(/👩‍👩‍👧‍👦…/u)
  expect(lines.replaceAll("👩‍👩‍👧‍👦", "")).not.toMatch(/\p{Extended_Pictographic}|\u200d/u)
})
