// Examples of what builders write themselves, on the built library and its published names alone.
import { execFileSync, spawnSync } from "node:child_process"
import { expect, test } from "vitest"

function run(example: string): string {
  return execFileSync(process.execPath, ["--import", "tsx", `examples/${example}.ts`], { encoding: "utf8" })
}

test("an agent of one's own is stopped by a move, through the signal of its turn", () => {
  expect(run("own-agent")).toBe(
    "It is noon.\n" +
      "turn-ended: This turn was stopped, so its late result was not recorded.\n" +
      "user: What time is it?\nassistant: I look. (calls clock)\ntool: 12:00\nassistant: It is noon.\n",
  )
})

test("a store of one's own shows a session that went back, as it is when it is opened again", () => {
  expect(run("own-store")).toBe(
    'listed: Write a parser. (prompts: 1)\nuser: [{"type":"text","text":"Write a parser."}]\n',
  )
})

test("the reader in Python says which file it cannot read, and asks for one when none is named", () => {
  const read = (...files: string[]) =>
    spawnSync("python3", ["examples/read_session.py", ...files], { encoding: "utf8" })
  const { status, stderr } = read("/nowhere/log.jsonl")
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^\/nowhere\/log\.jsonl cannot be read: .+\n$/)])
  expect(read().stderr).toBe("Which log? Name one or more: read_session.py LOG...\n")
})

test("a workspace of one's own goes back with the conversation, and keeps what the person did", () => {
  expect(run("own-workspace").replace(/\s+/g, " ")).toBe(
    "moved { 'plan.md': 'Write a parser.', 'mine.md': \"The person's own.\" } " +
      "undone { 'plan.md': 'Write a poem.', 'mine.md': \"The person's own.\", 'poem.md': 'Roses are red.' } ",
  )
})
