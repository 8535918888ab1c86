// Examples of what builders write themselves, on the built library and its published names alone.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { CLAUDE_NAME, putClaudeSession } from "../cli/claude-session.ts"

function run(example: string): string {
  return execFileSync(process.execPath, ["--import", "tsx", `examples/${example}.ts`], { encoding: "utf8" })
}

test("a custom agent is stopped by a move, through the signal of its turn", () => {
  expect(run("own-agent")).toBe(
    "It is noon.\n" +
      "turn-ended: This turn was stopped, so its late result was not recorded.\n" +
      "user: What time is it?\nassistant: I look. (calls clock)\ntool: 12:00\nassistant: It is noon.\n",
  )
})

test("a custom store shows a session that went back, as it is when it is opened again", () => {
  expect(run("own-store")).toBe(
    'listed: Write a parser. (prompts: 1)\nuser: [{"type":"text","text":"Write a parser."}]\n',
  )
})

test("a chat of the AI SDK gets other answers and edited prompts as branches", () => {
  expect(run("ai-sdk")).toBe(
    "the model gets: one\nthe model gets: one / answer 1 / two\nthe model gets: one / answer 1 / two\n" +
      'answers to "two": 2\nthe model gets: one / answer 1 / two, edited\n' +
      "shown: one / answer 1 / two, edited / answer 4\nundone: one / answer 1 / two / answer 3\n",
  )
})

test("a run of the OpenAI Agents SDK continues where the session went back to", () => {
  expect(run("openai-agents")).toBe(
    "the model gets: hello\nthe model gets: hello / reply 1 / write two\nthe model gets: hello / reply 1 / another two\n" +
      "removed: reply 3\nas it was: hello / reply 1 / write two / reply 3\n",
  )
})

test("the code in docs/library.md runs", () => {
  const page = readFileSync("docs/library.md", "utf8")
  const blocks = Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code = ""]) => code)
  expect(blocks).toHaveLength(2)
  const folder = mkdtempSync(join(".cache", "library-page-"))
  try {
    const outputs = blocks.map((code, i) => {
      const file = join(folder, `block-${i}.ts`)
      writeFileSync(file, code.replaceAll("/tmp/retcon", join(process.cwd(), folder, "home")))
      return execFileSync(process.execPath, ["--import", "tsx", file], { encoding: "utf8" })
    })
    expect(outputs).toEqual(["", "2 ways, now: one / another answer\n"])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test("the reader in Python says which file it cannot read, and asks for one when none is named", () => {
  const read = (...files: string[]) =>
    spawnSync("python3", ["examples/read_session.py", ...files], { encoding: "utf8" })
  const { status, stderr } = read("/nowhere/log.jsonl")
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^\/nowhere\/log\.jsonl cannot be read: .+\n$/)])
  expect(read().stderr).toBe("Which log? Name one or more: read_session.py LOG...\n")
})

test("a custom workspace goes back with the conversation, and keeps what the person did", () => {
  expect(run("own-workspace").replace(/\s+/g, " ")).toBe(
    "moved { 'plan.md': 'Write a parser.', 'mine.md': \"The person's own.\" } " +
      "undone { 'plan.md': 'Write a poem.', 'mine.md': \"The person's own.\", 'poem.md': 'Roses are red.' } ",
  )
})

test("another agent's session goes back a round, and its own program would continue from there", () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-example-"))
  try {
    const { file } = putClaudeSession({ folder, cwd: folder })
    const env = { ...process.env, RETCON_HOME: join(folder, "home") }
    const words = ["--import", "tsx", "examples/other-agents.ts", file]
    expect(execFileSync(process.execPath, words, { encoding: "utf8", env })).toBe(
      "a session of claude-code, 1 branch(es)\ngiven back: u3 third\n" +
        "user: u1 first\nassistant: reply 1 to: u1 first\nuser: u2 second\nassistant: reply 1 to: u2 second\n" +
        `continue with: claude --resume ${CLAUDE_NAME}\n`,
    )
    expect(readFileSync(file, "utf8").trimEnd().split("\n").at(-1)).toContain('"type":"last-prompt"')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
