import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { cursor } from "../../../src/formats/cursor/format.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"
import { contextOf, glanceAt, linesFile, readSession, temporaryFolder } from "../read-session.ts"

const path = join(import.meta.dirname, "samples", "0b1bc830-7756-4bcd-a966-0196b2a7fb72.jsonl")

formatContract(cursor, [{ path, prompts: ["u1 hello", "u2 go on"] }], { grows: null })
lineTraps(cursor, path)

test("that results are not in a transcript is said in their place", async () => {
  const { history } = await readSession(cursor, path)
  expect(contextOf(history).slice(2, 6)).toEqual([
    "assistant: call call 1",
    "assistant: call call 2",
    "tool: result call 1 Cursor's transcript does not have this result.",
    "tool: result call 2 Cursor's transcript does not have this result.",
  ])
})

test("transcripts are found, with those of sub-agents, and the project's folder where Cursor says it", () => {
  const home = temporaryFolder()
  const said = { role: "user", message: { content: [{ type: "text", text: "<user_query>\nhello\n</user_query>" }] } }
  const folder = ".cursor/projects/home-you-project"
  const files = ["agent-transcripts/a.jsonl", "agent-transcripts/b/b.jsonl", "agent-transcripts/b/subagents/c.jsonl"]
  const paths = files.map((name) => linesFile([said], join(folder, name), home))
  mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, folder, ".workspace-trusted"), '{"workspacePath":"/home/you/project"}')
  const places = [...cursor.find({ home, env: {} })]
  expect(places.map((place) => place.path)).toEqual(paths)
  const glances = places.map((place) => glanceAt(cursor, place))
  expect(glances[0]).toMatchObject({ name: "a", cwd: "/home/you/project", title: "hello" })
  expect(glances[2]).toMatchObject({ name: "c", from: { name: "b", as: "task" } })
  expect(places[2] && cursor.resume(places[2], "c")).toEqual(["cursor-agent", "--resume", "b"])
})
