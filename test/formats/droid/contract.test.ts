import { join } from "node:path"
import { droid } from "../../../src/formats/droid/format.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"

const path = join(import.meta.dirname, "samples", "three-rounds.jsonl")

formatContract(droid, [{ path, prompts: ["u1 hello", "u2 TOOLWRITE please", "u3 THINK bye"] }], {
  unknownLine: '{"type":"of_tomorrow","data":1}',
})

lineTraps(droid, path)
