// Layers and rooms as a picture: a line per layer, with those that import it above it.
import { layerOf, shortName } from "./places.mjs"

const WIDTH = 118

/** `imports`: every file with the files it imports. Arrows that follow from others are left out. */
export function drawRooms(imports, table) {
  const reached = reachedLayers(imports)
  const layers = [...reached.keys()].filter((layer) => !layer.endsWith(".ts"))
  const lines = topFirst(layers, reached).flatMap((layer) => {
    const rooms = (table.rooms[layer] ?? []).filter((room) => room !== ".")
    const below = layers.filter((other) => reached.get(layer).has(other))
    const direct = below.filter((other) => !below.some((between) => reached.get(between).has(other)))
    const arrows = direct.length === 0 ? "" : `→ ${direct.map(shortName).join(" ")}`
    return [`${shortName(layer).padEnd(10)} ${arrows}`.trimEnd(), ...wrapped(rooms)]
  })
  return `${lines.join("\n")}\n`
}

function reachedLayers(imports) {
  const direct = new Map()
  for (const [path, targets] of imports) {
    const layer = layerOf(path)
    const set = direct.get(layer) ?? new Set()
    for (const target of targets)
      if (layerOf(target) !== layer && layerOf(target) !== undefined) set.add(layerOf(target))
    direct.set(layer, set)
  }
  return new Map([...direct.keys()].map((layer) => [layer, allFrom(direct, layer)]))
}

function allFrom(direct, layer, seen = new Set()) {
  for (const next of direct.get(layer) ?? []) {
    if (seen.has(next)) continue
    seen.add(next)
    allFrom(direct, next, seen)
  }
  return seen
}

function topFirst(layers, reached) {
  return [...layers].sort((a, b) => reached.get(b).size - reached.get(a).size || a.localeCompare(b))
}

/** The rooms of a layer, each before those that may import it. */
function wrapped(rooms) {
  const lines = []
  for (const room of rooms) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + room.length + 3 <= WIDTH) lines[lines.length - 1] = `${last} · ${room}`
    else lines.push(`           ${room}`)
  }
  return lines
}
