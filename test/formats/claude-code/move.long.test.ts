import { join } from "node:path"
import { claudeCode } from "../../../src/formats/claude-code/format.ts"
import { moveContract } from "../move-contract.ts"

const sample = (name: string, honoured: number) => ({
  path: join(import.meta.dirname, "samples", name),
  prompts: [],
  honoured,
})

moveContract(claudeCode, [
  sample("plain-3turns.v197.jsonl", 8),
  sample("interactive-rewind-then-prompt.v325.jsonl", 28),
  sample("tools-full.v197.jsonl", 39),
  sample("tools-full.v325.jsonl", 53),
])
