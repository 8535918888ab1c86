import { join } from "node:path"
import { opencode } from "../../../src/formats/opencode/format.ts"
import { formatContract } from "../contract.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

formatContract(
  opencode,
  // `opencode run` puts quotes around what was typed.
  [{ path: sample("export.json"), prompts: ['"u1 hello"', '"u2 TOOLWRITE SUBAGENT please"', '"u3 bye"'] }],
  { grows: null },
)
