// Runs every rule over a project's src/ and web/.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { filesIn } from "../prepare.mjs"
import { checkAmbient, checkCatch } from "./ambient-rules.mjs"
import { checkIndex, checkPlace } from "./file-rules.mjs"
import { checkImport } from "./import-rules.mjs"

/** How many files there are, and each violation as `file:line: what (rule)`. */
export function checkProject(project) {
  const table = JSON.parse(readFileSync(join(project, "layers.json"), "utf8"))
  const paths = ["src", "web"]
    .flatMap((folder) => filesIn(folder, project))
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !path.includes("node_modules/"))
  return { files: paths.length, violations: paths.flatMap((path) => violationsIn(path, project, table)) }
}

function violationsIn(path, project, table) {
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
