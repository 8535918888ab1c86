// Rooms are the sub-folders of a layer. A room imports only itself and the rooms that layers.json names before it, so a
// room and its parent never import each other. No file imports itself through others, types included.
import { dirname } from "node:path"
import ts from "typescript"
import { specifierOf } from "./import-rules.mjs"
import { importedPath, layerOf } from "./places.mjs"

/** "rows" for src/history/rows/replay.ts; "." for a file of the layer's own folder. */
export function roomOf(path) {
  return dirname(path).slice(layerOf(path).length + 1) || "."
}

export function checkRoom(file, { path, table, report }) {
  const rooms = table.rooms[layerOf(path)]
  const room = layerOf(path) === path ? "." : roomOf(path)
  if (rooms === undefined ? room !== "." : !rooms.includes(room))
    report(
      file,
      `"${room}" is not among the rooms of "${layerOf(path)}": add it to "rooms" in layers.json, after the rooms that it imports`,
      "rooms",
    )
}

export function checkRoomImport(node, { path, table, report }) {
  const target = importOf(node, path)
  const rooms = table.rooms[layerOf(path)]
  if (target === undefined || rooms === undefined || layerOf(target) !== layerOf(path)) return
  const [from, to] = [roomOf(path), roomOf(target)]
  // A room that is not listed comes neither before nor after: `checkRoom` says so.
  if (!rooms.includes(from) || !rooms.includes(to)) return
  if (rooms.indexOf(to) > rooms.indexOf(from))
    report(
      node,
      `"${from}" may not import "${to}", which comes after it among the rooms of "${layerOf(path)}"`,
      "rooms",
    )
}

/** The path that a node imports, if it is an import of one of our own files. */
export function importOf(node, path) {
  const specifier = specifierOf(node)
  return specifier?.startsWith(".") ? importedPath(path, specifier) : undefined
}

/**
 * `imports`: every file with the files it imports. Returns each cycle once: the shortest way round from its first file.
 */
export function cyclesIn(imports) {
  const reported = new Set()
  const cycles = []
  for (const start of [...imports.keys()].sort((a, b) => a.localeCompare(b))) {
    if (reported.has(start)) continue
    const cycle = wayBack(imports, start)
    if (cycle === undefined) continue
    for (const path of cycle) reported.add(path)
    cycles.push(cycle)
  }
  return cycles
}

function wayBack(imports, start) {
  const from = new Map()
  const queue = [start]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of imports.get(at) ?? []) {
      if (next === start) return pathTo(from, at, start)
      if (from.has(next)) continue
      from.set(next, at)
      queue.push(next)
    }
  }
  return undefined
}

function pathTo(from, end, start) {
  const path = [end]
  while (path[0] !== start) path.unshift(from.get(path[0]))
  return path
}

/** The names under which a file exports its own types: each where it is declared, or in a list. */
export function exportedTypes(file) {
  const own = file.statements.filter((each) => DECLARATIONS.some((isOne) => isOne(each)))
  const names = new Set(own.map((each) => each.name.text))
  const listed = file.statements
    .filter((each) => ts.isExportDeclaration(each) && each.moduleSpecifier === undefined)
    .flatMap((each) => each.exportClause.elements)
    .filter(({ name, propertyName }) => names.has((propertyName ?? name).text))
  const declared = own.filter((each) => each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
  return [...declared, ...listed].map(({ name }) => name.text)
}

const DECLARATIONS = [ts.isInterfaceDeclaration, ts.isTypeAliasDeclaration, ts.isClassDeclaration, ts.isEnumDeclaration]
