import { join } from "node:path"
import { neovate } from "../../../src/formats/neovate/format.ts"
import { formatContract } from "../contract.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

formatContract(
  neovate,
  [
    { path: sample("three-rounds.jsonl"), prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 bye"] },
    {
      path: sample("compacted.jsonl"),
      prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 bye", "u4 BIGUSAGE", "u5 after", "u6 after"],
    },
  ],
  { unknownLine: '{"type":"of-tomorrow","data":1}' },
)
