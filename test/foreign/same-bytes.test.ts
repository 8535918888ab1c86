// Whether a copy is the beginning of a file, and the name of what a file holds.
import { createHash } from "node:crypto"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { contentName, isBeginning } from "../../src/foreign/disk/same-bytes.ts"
import { temporaryFolder } from "../formats/read-session.ts"

const MB = 1024 * 1024

function pair(copy: Uint8Array, file: Uint8Array): [copy: string, file: string] {
  const folder = temporaryFolder()
  const paths: [string, string] = [join(folder, "copy"), join(folder, "file")]
  writeFileSync(paths[0], copy)
  writeFileSync(paths[1], file)
  return paths
}

/** Zeros, with another byte at these places. */
function bytes(length: number, ...at: number[]): Buffer {
  const made = Buffer.alloc(length)
  for (const place of at) made[place] = 1
  return made
}

test("every byte of a short copy is compared", () => {
  const size = 600_000
  for (const at of [0, 262_143, 262_144, size - 1]) {
    expect(isBeginning(...pair(bytes(size), bytes(size + 10, at)), size, false)).toBe(false)
  }
  expect(isBeginning(...pair(bytes(size), bytes(size + 10, size)), size, false)).toBe(true)
})

test("for a long copy the first and the last 2 MB are compared, or all of it on request", () => {
  const size = 5 * MB
  const differs = (at: number, all = false) => !isBeginning(...pair(bytes(size), bytes(size + 1, at)), size, all)
  expect([0, 2 * MB - 1, size - 2 * MB, size - 1].map((at) => differs(at))).toEqual([true, true, true, true])
  expect([2 * MB, size - 2 * MB - 1].map((at) => differs(at))).toEqual([false, false])
  expect(differs(2 * MB, true)).toBe(true)
})

test("4 MB are still compared whole", () => {
  expect(isBeginning(...pair(bytes(4 * MB), bytes(4 * MB, 2 * MB)), 4 * MB, false)).toBe(false)
})

test("a file that is shorter, missing or a link is not the same", () => {
  const [copy, file] = pair(bytes(10), bytes(9))
  expect(isBeginning(copy, file, 10, false)).toBe(false)
  expect(isBeginning(copy, `${file}x`, 10, false)).toBe(false)
  expect(isBeginning(`${copy}x`, file, 9, false)).toBe(false)
  symlinkSync(copy, `${copy}.link`)
  expect(isBeginning(copy, `${copy}.link`, 10, false)).toBe(false)
  expect(isBeginning(copy, file, 9, false)).toBe(true)
})

test("the name of a content is the beginning of its SHA-256, also of a long one", () => {
  const long = bytes(600_000, 599_999)
  const [, file] = pair(bytes(0), long)
  expect(contentName(file)).toBe(createHash("sha256").update(long).digest("hex").slice(0, 32))
})
