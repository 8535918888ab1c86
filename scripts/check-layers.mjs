// The rules of layers.json, over src/ and web/. Prints `file:line: what (rule)` for each violation.
// Usage: node scripts/check-layers.mjs [root of the project]
import { resolve } from "node:path"
import { checkProject } from "./layers/violations.mjs"
import { root } from "./prepare.mjs"

const { files, violations } = checkProject(resolve(process.argv[2] ?? root))
for (const line of violations) console.log(line)
console.log(`${files} files, ${violations.length} violations`)
process.exitCode = violations.length > 0 ? 1 : 0
