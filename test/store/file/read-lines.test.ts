import { writeFileSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { readLines } from "../../../src/store/file/folder/sweep.ts"
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

test("a line of many megabytes is copied once, not once for each megabyte", () => {
  const file = `${temporaryFolder()}/lines`
  const size = 32 * MEGABYTE
  writeFileSync(file, `${"x".repeat(size)}\nshort\n`)
  const joining = vi.spyOn(Buffer, "concat")
  const lengths = [...readLines(file)].map(({ length }) => length)
  const copied = joining.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
  joining.mockRestore()
  expect(lengths).toEqual([size, 5])
  expect(copied).toBeLessThanOrEqual(size + MEGABYTE)
})
