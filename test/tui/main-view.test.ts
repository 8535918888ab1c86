import { describe, expect, test } from "vitest"
import { makeStage } from "./stage.ts"

describe("the main view", () => {
  for (const columns of [60, 80, 120]) {
    test(`a round with a file, a command and an answer at ${columns} columns`, async () => {
      const stage = await makeStage({ columns, rows: 30 })
      stage.enter('create a.txt with "one\\ntwo" then run "cat a.txt"')
      await stage.idle(1)
      await stage.sees("Bash cat a.txt:")
      const shown = stage.all().filter((line, i, all) => line !== "" || all[i - 1] !== "")
      expect(shown.slice(shown.findIndex((line) => line.startsWith("❯"))).join("\n")).toMatchSnapshot()
    })
  }

  test("what was typed, what was done and what was said are in this order", async () => {
    const stage = await makeStage()
    stage.enter("create a.txt with hello")
    await stage.sees("Created a.txt.")
    await stage.idle(1)
    const all = stage.all().join("\n")
    const places = ["❯ create a.txt with hello", "✓ Write a.txt", "1 + hello", "Created a.txt."].map((text) =>
      all.indexOf(text),
    )
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})
