import { join } from "node:path"
import { qwenCode } from "../../../src/formats/qwen-code/format.ts"
import { moveContract } from "../move-contract.ts"

const sample = (name: string, honoured: number) => ({
  path: join(import.meta.dirname, "samples", name),
  prompts: [],
  honoured,
})

moveContract(qwenCode, [sample("compressed.jsonl", 32)])
