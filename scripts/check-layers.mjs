// The rules of layers.json, over src/ and web/. Prints `file:line: what (rule)` for each violation.
// Usage: node scripts/check-layers.mjs [root of the project]
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import ts from "typescript"
import { checkAmbient, checkCatch } from "./layers/ambient-rules.mjs"
import { checkIndex, checkPlace } from "./layers/file-rules.mjs"
import { checkImport } from "./layers/import-rules.mjs"
import { filesIn, root } from "./prepare.mjs"

const project = resolve(process.argv[2] ?? root)
const table = JSON.parse(readFileSync(join(project, "layers.json"), "utf8"))
const paths = ["src", "web"]
  .flatMap((folder) => filesIn(folder, project))
  .filter((path) => /\.[cm]?tsx?$/.test(path) && !path.includes("node_modules/"))
const violations = paths.flatMap(violationsIn)

for (const line of violations) console.log(line)
console.log(`${paths.length} files, ${violations.length} violations`)
process.exitCode = violations.length > 0 ? 1 : 0

function violationsIn(path) {
  const file = ts.createSourceFile(path, readFileSync(join(project, path), "utf8"), ts.ScriptTarget.Latest, true)
  const found = []
  const report = (node, what, rule) => {
    const start = node === file ? 0 : node.getStart(file)
    found.push(`${path}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${what} (${rule})`)
  }
  const context = { path, table, report }
  checkPlace(file, context)
  checkIndex(file, context)
  const visit = (node) => {
    for (const check of [checkImport, checkAmbient, checkCatch]) check(node, context)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
