import { join } from "node:path"
import { qwenCode } from "../../../src/formats/qwen-code/format.ts"
import { formatContract } from "../contract.ts"

const sample = (...names: string[]) => join(import.meta.dirname, "samples", ...names)

const ASKER = "4230a173-7c64-4176-914f-bcb0f550d51e"

formatContract(
  qwenCode,
  [
    {
      path: sample("compressed.jsonl"),
      prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 BIGUSAGE", "u4 after", "u5 end"],
    },
    {
      path: sample("sub-agent", "chats", `${ASKER}.jsonl`),
      prompts: ["u1 hello", "u2 SUBAGENT please", "u3 bye lorem ", "u4 after"],
    },
    { path: sample("sub-agent", "subagents", ASKER, "agent-general-purpose-call_2_0_1.jsonl"), prompts: [] },
  ],
  { unknownLine: '{"type":"of-tomorrow","data":1}' },
)
