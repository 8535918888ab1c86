// Examples of what builders write themselves, on the built library and its published names alone.
import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"

function run(example: string): string {
  return execFileSync(process.execPath, ["--import", "tsx", `examples/${example}.ts`], { encoding: "utf8" })
}

test("an agent of one's own is stopped by a move, through the signal of its turn", () => {
  expect(run("own-agent")).toBe(
    "It is noon.\n" +
      "turn-ended: This turn was stopped, so its late result was not recorded.\n" +
      "user: What time is it?\nassistant: I look.\ntool: \nassistant: It is noon.\n",
  )
})

test("a workspace of one's own goes back with the conversation, and keeps what the person did", () => {
  expect(run("own-workspace").replace(/\s+/g, " ")).toBe(
    "moved { 'plan.md': 'Write a parser.', 'mine.md': \"The person's own.\" } " +
      "undone { 'plan.md': 'Write a poem.', 'mine.md': \"The person's own.\", 'poem.md': 'Roses are red.' } ",
  )
})
