// docs/cli.md lists every code that a script may meet.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

const codesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, code]) => code ?? "")

test("the table of error codes and the codes in the source are the same", () => {
  const source = codesIn(readFileSync("src/model/failure/failure.ts", "utf8"), /\bcode: "([a-z-]+)"/g)
  const page = readFileSync("docs/cli.md", "utf8")
  const table = page.slice(page.indexOf("| code "), page.indexOf("\n\n", page.indexOf("| code ")))
  const rows = table.split("\n").map((line) => line.split("|")[1] ?? "")
  const listed = codesIn(rows.join("\n"), /`([a-z-]+)`/g)
  expect(listed.toSorted()).toEqual([...new Set([...source, "usage", "defect"])].toSorted())
})
