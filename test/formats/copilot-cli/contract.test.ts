import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { copilotCli } from "../../../src/formats/copilot-cli/format.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"
import { readSession } from "../read-session.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

formatContract(
  copilotCli,
  [
    { path: sample("three-rounds.jsonl"), prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 bye"] },
    { path: sample("sub-agent.jsonl"), prompts: ["u1 THINK hello", "u2 SUBAGENT PARALLEL please"] },
  ],
  { unknownLine: '{"type":"of.tomorrow","data":{}}' },
)

lineTraps(copilotCli, sample("sub-agent.jsonl"))

test("each request is told once, those of sub-agents too; cached tokens are not counted twice", async () => {
  const path = sample("sub-agent.jsonl")
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  const told = lines.flatMap(
    (text) => copilotCli.requests?.({ path, main: path }, (name) => name).line(JSON.parse(text)) ?? [],
  )
  const usage = { input: 60, output: 10, cacheRead: 40 }
  expect(told.map((request) => request.usage)).toEqual([usage, usage, usage, usage])
  const { history } = await readSession(copilotCli, path)
  const records = Array.from({ length: history.size }, (_, row) => history.record(row))
  const answers = records.flatMap((record) =>
    record?.type === "message" && record.role === "assistant" ? [record.usage] : [],
  )
  expect(answers).toEqual([usage, usage, usage, usage])
})
