import { join } from "node:path"
import { copilotCli } from "../../../src/formats/copilot-cli/format.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"

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
