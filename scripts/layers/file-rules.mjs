// Rules for a file's path, and for an index.ts as a whole.
import { basename, dirname } from "node:path"
import ts from "typescript"
import { layerOf } from "./places.mjs"

export function checkPlace(file, { path, table, report }) {
  if (table.mayImport[layerOf(path)] === undefined)
    report(file, `"${layerOf(path)}" has no row in the table`, "layers.json")
  const folder = dirname(path)
    .split("/")
    .find((name) => table.forbiddenFolders.includes(name))
  if (folder) report(file, `no folder may be called "${folder}": name what is in it`, "folders")
}

export function checkIndex(file, { path, table, report }) {
  if (basename(path) !== "index.ts") return
  if (!table.published.includes(path)) report(file, "index.ts is for published entry points only", "index")
  for (const statement of file.statements) {
    if (!isExplicitList(statement)) report(statement, "index.ts may hold only: export { names } from", "index")
  }
}

function isExplicitList(statement) {
  return (
    ts.isExportDeclaration(statement) &&
    statement.moduleSpecifier !== undefined &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
  )
}
