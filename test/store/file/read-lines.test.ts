import { writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readLines } from "../../../src/store/file/disk/read-lines.ts"
import { temporaryFolder } from "../kit.ts"

const MEGABYTE = 1024 * 1024

test("every line of a file is read: blank ones, one longer than what is read at once, and a last one without an end", () => {
  const file = `${temporaryFolder()}/lines`
  const lines = ["one", "", "x".repeat(MEGABYTE * 2 + 5), "y".repeat(MEGABYTE - 3), "the last one has no newline"]
  writeFileSync(file, lines.join("\n"))
  expect([...readLines(file)].map((line) => line.toString().length)).toEqual(lines.map((line) => line.length))
  expect([...readLines(file)].at(-1)?.toString()).toBe(lines.at(-1))
  writeFileSync(file, "one\n")
  expect([...readLines(file)].map(String)).toEqual(["one"])
})
