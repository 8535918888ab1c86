import { join } from "node:path"
import { kimiCli } from "../../../src/formats/kimi-cli/format.ts"
import { formatContract } from "../contract.ts"

const sample = (...names: string[]) => join(import.meta.dirname, "samples", ...names)

formatContract(
  kimiCli,
  [
    { path: sample("three-rounds"), prompts: ["u1 hello", "u2 write", "u3 bye"] },
    // Its earlier contexts are branches; a command is what the person typed, not what it became.
    { path: sample("reverted-and-compacted"), prompts: ["hello again", "/skill:review"] },
    { path: sample("compacted"), prompts: ["find the leak", "also add a test", "now in red"] },
    {
      path: sample("reverted-and-compacted", "subagents", "a1b2c3d4"),
      folder: sample("reverted-and-compacted"),
      prompts: [],
    },
  ],
  { grows: (path) => join(path, "context.jsonl"), unknownLine: '{"role":"_of_tomorrow","data":1}' },
)
