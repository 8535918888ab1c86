// Where a file is in the table of layers.json.
import { dirname, normalize } from "node:path"

/** The row of a path: "src/store" for src/store/file/log/log.ts, "src/index.ts", "web"; undefined outside them. */
export function layerOf(path) {
  const [top, second] = path.split("/")
  if (top === "web") return "web"
  return top === "src" && second !== undefined ? `src/${second}` : undefined
}

/** The path a relative import points at, from the root of the project. */
export function importedPath(from, specifier) {
  return normalize(`${dirname(from)}/${specifier}`)
}

/** Whether `path` is one of `places`, or inside one of them. */
export function isIn(path, places) {
  return places.some((place) => path === place || path.startsWith(`${place}/`))
}

/** "src/model" is called "model" in messages. */
export function shortName(layer) {
  return layer.replace(/^src\//, "")
}
