// Runs every rule over a project's src/ and web/.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { filesIn } from "../prepare.mjs"
import { checkAmbient, checkCatch } from "./ambient-rules.mjs"
import { checkIndex, checkPlace } from "./file-rules.mjs"
import { checkImport } from "./import-rules.mjs"
import { checkRoom, checkRoomImport, cyclesIn, exportedTypes, importOf } from "./room-rules.mjs"

/** How many files there are, each violation as `file:line: what (rule)`, and which file imports which. */
export function checkProject(project) {
  const table = JSON.parse(readFileSync(join(project, "layers.json"), "utf8"))
  const paths = ["src", "web"]
    .flatMap((folder) => filesIn(folder, project))
    .filter((path) => /\.([cm]?tsx?|svelte)$/.test(path) && !path.includes("node_modules/"))
  const looked = paths.map((path) => lookAt(path, project, table))
  const imports = new Map(looked.map(({ path, imported }) => [path, imported]))
  const violations = [...looked.flatMap(({ found }) => found), ...cycles(imports), ...namesTwice(looked)]
  return { files: paths.length, violations, imports }
}

function lookAt(path, project, table) {
  const file = ts.createSourceFile(path, codeOf(path, project), ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  const found = []
  const imported = new Set()
  const report = (node, what, rule) => {
    const start = node === file ? 0 : node.getStart(file)
    found.push(`${path}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${what} (${rule})`)
  }
  const context = { path, table, report }
  checkPlace(file, context)
  checkRoom(file, context)
  checkIndex(file, context)
  const visit = (node) => {
    for (const check of [checkImport, checkRoomImport, checkAmbient, checkCatch]) check(node, context)
    const target = importOf(node, path)
    if (target !== undefined) imported.add(target)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { path, found, imported, types: exportedTypes(file) }
}

/** The scripts of a component, each on its own lines. */
function codeOf(path, project) {
  const text = readFileSync(join(project, path), "utf8")
  if (!path.endsWith(".svelte")) return text
  const blank = (part) => part.replace(/[^\n]/g, " ")
  let [code, end] = ["", 0]
  for (const script of text.matchAll(/(?<=<script\b[^>]*>).*?(?=<\/script>)/gs)) {
    code += blank(text.slice(end, script.index)) + script[0]
    end = script.index + script[0].length
  }
  return code
}

function cycles(imports) {
  return cyclesIn(imports).map((cycle) => `${cycle[0]}:1: imports itself: ${[...cycle, cycle[0]].join(" → ")} (cycles)`)
}

/** One name, one thing: a reader of `Session` need not ask which. */
function namesTwice(looked) {
  const first = new Map()
  return looked.flatMap(({ path, types }) =>
    types.flatMap((name) => {
      const other = first.get(name)
      if (other === undefined) first.set(name, path)
      return other === undefined ? [] : [`${path}:1: "${name}" is the name of another type in ${other} (names)`]
    }),
  )
}
