import { join } from "node:path"
import { crush } from "../../../src/formats/crush/format.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"

const path = join(import.meta.dirname, "samples", "exported.jsonl")

formatContract(crush, [{ path, prompts: ["u1 hello", "u2 go on"] }], { unknownLine: '{"type":"of-tomorrow","data":1}' })

lineTraps(crush, path)
