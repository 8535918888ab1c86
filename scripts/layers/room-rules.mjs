// Rooms are the sub-folders of a layer. A room imports only itself and the rooms that layers.json names before it: none imports its
// parent and back.
import { dirname } from "node:path"
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
    report(file, `"${room}" is not among the rooms of "${layerOf(path)}"`, "rooms")
}

export function checkRoomImport(node, { path, table, report }) {
  const target = importOf(node, path)
  const rooms = table.rooms[layerOf(path)]
  if (target === undefined || rooms === undefined || layerOf(target) !== layerOf(path)) return
  const [from, to] = [roomOf(path), roomOf(target)]
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
