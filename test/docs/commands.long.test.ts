// Every command shown in the docs runs, and prints what the docs show.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { consoleBlocks, fencesOf } from "./console-blocks.ts"
import { type BlockResult, runDocs } from "./run-docs.ts"

const pages = [...readdirSync("."), ...(existsSync("docs") ? docsPages() : [])]
  .filter((path) => path.endsWith(".md"))
  .map((path) => ({ path, markdown: readFileSync(path, "utf8") }))

function docsPages(): string[] {
  return readdirSync("docs", { recursive: true, encoding: "utf8" }).map((path) => join("docs", path))
}

for (const { path, markdown } of pages) {
  const blocks = consoleBlocks(markdown).filter(({ run }) => run)
  if (blocks.length === 0) continue
  describe(path, () => {
    let results: BlockResult[] = []
    beforeAll(async () => {
      results = await runDocs(path, markdown)
    })

    for (const [index, block] of blocks.entries()) {
      test(`line ${block.line}: ${block.steps[0]?.command.split("\n")[0] ?? "nothing"}`, () => {
        expect(results[index]?.problems.join("\n\n")).toBe("")
      })
    }
  })
}

test("commands are shown in console blocks, which are run", () => {
  const elsewhere = pages.flatMap(({ path, markdown }) =>
    fencesOf(markdown)
      .filter(({ info }) => /^(sh|bash|shell|zsh|terminal)\b/.test(info))
      .map(({ line }) => `${path}:${line}`),
  )
  expect(elsewhere).toEqual([])
})

test("every npm script shown in the docs exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> }
  const missing = pages.flatMap(({ path, markdown }) =>
    [...markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)]
      .map(([, named, builtIn]) => named ?? builtIn ?? "")
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${path}: npm run ${name}`),
  )
  expect(missing).toEqual([])
})
