import { join } from "node:path"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { formatContract } from "../contract.ts"

const sample = (...names: string[]) => join(import.meta.dirname, "samples", ...names)

formatContract(
  kimiCode,
  [
    { path: sample("three-rounds"), prompts: ["u1 hello", "u2 TOOLWRITE SUBAGENT please", "u3 bye"] },
    { path: sample("undone"), prompts: ["u1 hello", "u2 TOOLWRITE SUBAGENT please", "u3b after undo"] },
    // What a sub-agent works on was not typed by a person.
    { path: sample("three-rounds", "agents", "agent-0"), folder: sample("three-rounds"), prompts: [] },
  ],
  {
    grows: (path) => (path.endsWith("agent-0") ? join(path, "wire.jsonl") : join(path, "agents", "main", "wire.jsonl")),
    unknownLine: '{"type":"of.tomorrow","data":1}',
  },
)
