// Who may import whom, and which modules of Node the pure folders may use.
import { builtinModules } from "node:module"
import ts from "typescript"
import { importedPath, isIn, layerOf, shortName } from "./places.mjs"

/** Reports imports outside the table: static and dynamic ones, types, re-exports and require alike. */
export function checkImport(node, { path, table, report }) {
  const specifier = specifierOf(node)
  if (specifier === undefined) return
  if (specifier.startsWith(".") && !/\.\w+(\?|$)/.test(specifier))
    report(node, `"${specifier}" does not name a file: add its extension`, "imports")
  if (specifier.startsWith(".")) checkLayer(node, importedPath(path, specifier), { path, table, report })
  else if (isIn(path, table.pure) && isImpure(specifier, table)) {
    report(node, `"${shortName(layerOf(path))}" is pure and may not import "${specifier}"`, "pure")
  }
}

function checkLayer(node, target, { path, table, report }) {
  const [from, to] = [layerOf(path), layerOf(target)]
  const allowed = table.mayImport[from]
  if (allowed === undefined || from === to || target === "package.json") return
  if (to === undefined) report(node, `"${shortName(from)}" may not import "${target}"`, "layers.json")
  else if (!allowed.includes(to) && !allowed.includes("*")) {
    report(node, `"${shortName(from)}" may not import "${shortName(to)}"`, "layers.json")
  }
}

function isImpure(specifier, table) {
  const name = specifier.replace(/^node:/, "")
  const isNode = specifier.startsWith("node:") || builtinModules.includes(name)
  return isNode && !table.pureModules.includes(`node:${name}`)
}

export function specifierOf(node) {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier)
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal)
  if (!ts.isCallExpression(node)) return undefined
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require"
  return isImport || isRequire ? textOf(node.arguments[0]) : undefined
}

function textOf(node) {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined
}
