// What a browser loads before it shows anything.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"

/** The files that index.html names, and those that their scripts import at once. */
function firstFiles(): string[] {
  const found = new Set<string>(["index.html"])
  for (const file of found) {
    const text = readFileSync(join("dist/web", file), "utf8")
    const named = file.endsWith(".html")
      ? [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name as string)
      : [...text.matchAll(/(?:^|[;}])\s*import\s*(?:[^"'();]*?from\s*)?["']\.\/([^"']+)["']/g)].map(
          ([, name]) => `assets/${name}`,
        )
    for (const name of named) found.add(name)
  }
  return [...found]
}

test("it is less than 130 kB, compressed", () => {
  const files = firstFiles()
  expect(files.length).toBeGreaterThan(2)
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join("dist/web", file))).length, 0)
  expect(bytes).toBeLessThan(130_000)
})
