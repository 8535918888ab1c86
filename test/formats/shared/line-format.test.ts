// A new format is a folder of forty lines, and keeps what every format promises.
import { cpSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { formatContract } from "../contract.ts"
import { glanceAt, temporaryFolder } from "../read-session.ts"
import { newAgent } from "./new-format/format.ts"

const SAMPLE = join(import.meta.dirname, "new-format", "samples", "two-rounds.jsonl")

formatContract(newAgent, [{ path: SAMPLE, prompts: ["What is in it?", "Who calls it?"] }], {
  unknownLine: '{"type":"of tomorrow"}',
})

test("its sessions are found, with their folder and their first prompt", () => {
  const home = temporaryFolder()
  const path = join(home, ".new-agent", "sessions", "two-rounds.jsonl")
  cpSync(SAMPLE, path, { recursive: true })
  expect([...newAgent.find({ home, env: {} })]).toEqual([{ path, main: path }])
  expect(glanceAt(newAgent, { path, main: path })).toMatchObject({ cwd: "/home/you/project", title: "What is in it?" })
})
