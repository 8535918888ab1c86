// How large the house is: files, lines, how deep imports go, and the interfaces with the most members.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { filesIn } from "../prepare.mjs"

const SHORT = 25
const PORTS = 5

/** `imports`: every file of src/ and web/ with the files it imports. */
export function figures(imports, project) {
  const sources = linesOf([...imports.keys()], project)
  const tests = linesOf(
    filesIn("test", project).filter((path) => path.endsWith(".ts")),
    project,
  )
  const edges = [...imports.values()].reduce((sum, targets) => sum + targets.size, 0)
  return [
    `src and web: ${sources.length} files, ${total(sources)} lines; ${sources.filter((lines) => lines <= SHORT).length} files of at most ${SHORT} lines`,
    `test: ${tests.length} files, ${total(tests)} lines`,
    `imports: ${(edges / imports.size).toFixed(1)} a file, the longest chain ${longestChain(imports)}`,
    `largest interfaces: ${largest([...imports.keys()], project)
      .map(({ name, members }) => `${name} ${members}`)
      .join(", ")}`,
  ]
}

function linesOf(paths, project) {
  return paths.map((path) => readFileSync(join(project, path), "utf8").split("\n").length - 1)
}

function total(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0)
}

/** In files. Contract: there are no cycles. */
function longestChain(imports) {
  const known = new Map()
  const from = (path) => {
    if (!known.has(path)) known.set(path, 1 + Math.max(0, ...[...(imports.get(path) ?? [])].map(from)))
    return known.get(path)
  }
  return Math.max(...[...imports.keys()].map(from))
}

/** With what they extend. */
function largest(paths, project) {
  const found = new Map()
  for (const path of paths.filter((each) => each.endsWith(".ts"))) {
    const file = ts.createSourceFile(path, readFileSync(join(project, path), "utf8"), ts.ScriptTarget.Latest)
    ts.forEachChild(file, (node) => {
      if (!ts.isInterfaceDeclaration(node)) return
      const above = (node.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap(({ expression }) => (ts.isIdentifier(expression) ? [expression.text] : [])),
      )
      found.set(node.name.text, { own: node.members.length, above })
    })
  }
  const members = (name) => {
    const { own, above } = found.get(name) ?? { own: 0, above: [] }
    return own + total(above.map(members))
  }
  return [...found.keys()]
    .map((name) => ({ name, members: members(name) }))
    .sort((a, b) => b.members - a.members)
    .slice(0, PORTS)
}
