// The files of the page, as they were when the server started: a request can name only these.
import { existsSync, readdirSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { extname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { PageFile } from "../../server/page/page.ts"

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
}

/** Beside the program: in dist/ or, when run from source, in the project's. */
export function pageFolder(from = import.meta.url): string {
  const beside = fileURLToPath(new URL("web", from))
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../../dist/web", from))
}

export function pageFiles(folder: string): (path: string) => Promise<PageFile | undefined> {
  const files = new Map(namesIn(folder).map((file) => [`/${file.split(sep).join("/")}`, join(folder, file)]))
  return async (path) => {
    const name = path === "/" ? "/index.html" : path
    const file = files.get(name)
    const type = TYPES[extname(name)]
    if (file === undefined || type === undefined) return undefined
    return { bytes: await readFile(file), type, fixed: name.startsWith("/assets/") }
  }
}

function namesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile())
    .map((item) => relative(folder, join(item.parentPath, item.name)))
}
