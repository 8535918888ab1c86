// Going far back when most of what is left has scrolled away: only what is still on the screen is dimmed, in its place.
import { expect, test } from "vitest"
import { makeStage } from "./stage.ts"

test("Esc Esc to the first prompt on a scrolled screen dims what is on it, and moves nothing", async () => {
  const stage = await makeStage({ rows: 24 })
  for (let round = 1; round <= 9; round++) {
    stage.enter(`say answer-${round}`)
    await stage.idle(round)
  }
  const before = stage.all()
  const conversation = before.slice(0, before.findLastIndex((line) => line.startsWith("❯ Ask")) - 2)
  expect(before.length).toBeGreaterThan(24)
  stage.press("escape", "escape")
  await stage.sees("Enter go back to it")
  stage.send("\u001b[F")
  stage.press("enter")
  await stage.sees("Go back to: say answer-1")
  await stage.sees("summarised")
  stage.press("enter")
  await stage.sees(/❯ say answer-1\n─+\n before the first prompt/)
  await stage.until(() => stage.styleOf("answer-9")?.dim === true)
  expect(stage.all().slice(0, conversation.length)).toEqual(conversation)
  expect(stage.all().slice(conversation.length).join("\n")).toMatch(
    /^\n?─+ .*\n.*left behind[\s\S]*─\n❯ say answer-1\n─+\n before the first prompt[^\n]*\s*$/,
  )
  expect(stage.styleOf("❯ say answer-9")?.dim).toBe(true)
})
