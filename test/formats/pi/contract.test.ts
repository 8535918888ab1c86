import { join } from "node:path"
import { pi } from "../../../src/formats/pi/format.ts"
import { formatContract } from "../contract.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

formatContract(
  pi,
  [
    { path: sample("three-rounds.jsonl"), prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 bye"] },
    { path: sample("branched.jsonl"), prompts: ["u1 hello", "u2 TOOLWRITE please", "u3b new branch"] },
  ],
  { unknownLine: '{"type":"of-tomorrow","data":1}' },
)
