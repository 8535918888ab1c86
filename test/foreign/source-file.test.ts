// A file that another program writes: what was read of it, and whether it is still what was read.
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { SourceFile } from "../../src/foreign/disk/source-file.ts"

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-source-"))
  file = join(folder, "a.jsonl")
})
afterEach(() => rmSync(folder, { recursive: true }))

function scanned(text: string, more: object = {}): { source: SourceFile; lines: string[] } {
  writeFileSync(file, text)
  const source = new SourceFile({ number: 0, file, how: "grows", ...more })
  expect(source.open()).toBe(true)
  return { source, lines: scan(source) }
}

function scan(source: SourceFile): string[] {
  const lines: string[] = []
  source.scan({
    line: (bytes, start, end) => lines.push(bytes.toString("utf8", start, end)),
    tooLong: () => expect.fail("no line is too long"),
  })
  return lines
}

test("what is appended is read once, and a torn end waits for its rest", () => {
  const { source, lines } = scanned("one\ntwo\nthr")
  expect([lines, source.covered, source.torn, source.grew]).toEqual([["one", "two"], 8, 3, false])
  appendFileSync(file, "ee\n")
  expect([source.grew, source.isSame()]).toEqual([true, true])
  expect([scan(source), source.covered, source.torn, source.grew]).toEqual([["three"], 14, 0, false])
  source.close()
})

test("a file that was cut, overwritten or replaced is not the same; one that only grew is", () => {
  const then = new Date("2026-01-31T12:00:00Z")
  const changes: [string, boolean, () => void][] = [
    ["nothing", true, () => undefined],
    ["appended", true, () => appendFileSync(file, "three\n")],
    ["cut", false, () => truncateSync(file, 4)],
    ["overwritten", false, () => writeFileSync(file, "one\nTWO\n")],
    ["overwritten and longer", false, () => writeFileSync(file, "one\nTWO\nthree\n")],
    ["removed", false, () => rmSync(file)],
    [
      "replaced by the same bytes",
      false,
      () => {
        writeFileSync(`${file}.new`, "one\ntwo\n")
        renameSync(`${file}.new`, file)
      },
    ],
  ]
  for (const [what, same, change] of changes) {
    const { source } = scanned("one\ntwo\n")
    utimesSync(file, then, then)
    scan(source)
    change()
    expect([what, source.isSame()]).toEqual([what, same])
    source.close()
  }
})

test("a byte is found in its line, in any order", () => {
  const { source } = scanned(`${"x".repeat(200_000)}\n\ntwo\n`)
  const at = [0, 199_999, 200_000, 200_001, 200_002, 200_005, 3]
  expect(at.map((offset) => source.lineAt(offset))).toEqual([1, 1, 1, 2, 3, 3, 1])
  source.close()
})

test("if another session continues a file, only the first part belongs to this one", () => {
  const { source, lines } = scanned("one\ntwo\n", { upTo: 4 })
  expect([lines, source.size, source.torn]).toEqual([["one"], 4, 0])
  source.close()
})

test("what an index remembers is where it ended, and which bytes those were", () => {
  const { source } = scanned("one\ntw")
  const { mtimeMs } = statSync(file)
  expect(source.extent()).toMatchObject({ number: 0, file, bytes: 4, mtime: mtimeMs })
  const { sum } = source.extent()
  source.close()
  const other = scanned("oNe\ntw").source
  expect(other.extent().sum).not.toBe(sum)
  other.close()
})

test("a file that does not exist, and a folder, cannot be opened", () => {
  expect(new SourceFile({ number: 0, file: join(folder, "gone"), how: "grows" }).open()).toBe(false)
  const none = new SourceFile({ number: 0, file: folder, how: "grows" })
  expect([none.open(), none.isSame(), none.size]).toEqual([false, false, 0])
})

test("an index is used for the file that it was made from, as long as that only grew", () => {
  const { source: first } = scanned("one\ntwo\n")
  const known = first.extent()
  first.close()
  const resumed = (text: string, remembered = known, more: object = {}) => {
    writeFileSync(file, text)
    const source = new SourceFile({ number: 0, file, how: "grows", ...more })
    source.open()
    const found = source.resume(remembered) && scan(source)
    source.close()
    return found
  }
  expect(resumed("one\ntwo\n")).toEqual([])
  expect(resumed("one\ntwo\nthree\n")).toEqual(["three"])
  expect(resumed("one\n")).toBe(false)
  expect(resumed("one\nTWO\n")).toBe(false)
  expect(resumed("one\ntwo\n", { ...known, file: `${file}.other` })).toBe(false)
  expect(resumed("one\ntwo\n", known, { how: "whole" })).toEqual([])
  expect(resumed("one\ntwo\nthree\n", known, { how: "whole" })).toBe(false)
})
