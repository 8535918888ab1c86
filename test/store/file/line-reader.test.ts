import { closeSync, openSync, writeFileSync } from "node:fs"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { LineReader } from "../../../src/store/file/log/line-reader.ts"
import { afterwards, temporaryFolder } from "../kit.ts"

const SIZE = 700_000

/** A place to start from, and where the next ones are from there: onward, backward or anywhere near. */
const anyWalk = fc.record({
  start: fc.nat(SIZE),
  steps: fc.array(fc.tuple(fc.integer({ min: -40_000, max: 40_000 }), fc.integer({ min: 1, max: 60_000 })), {
    maxLength: 40,
  }),
  long: fc.integer({ min: 1, max: 400_000 }),
})

/** A file whose bytes depend on `seed`. */
function fileOf(seed: number): { bytes: Buffer; fd: number } {
  const bytes = Buffer.from(Array.from({ length: SIZE }, (_, i) => (i * seed + (i >> 8)) & 255))
  const file = `${temporaryFolder()}/lines`
  writeFileSync(file, bytes)
  const fd = openSync(file, "r")
  afterwards(() => closeSync(fd))
  return { bytes, fd }
}

test("in whatever order lines are read, forward, backward or here and there, each is what the file has", () => {
  const { bytes, fd } = fileOf(31)
  fc.assert(
    fc.property(anyWalk, ({ start, steps, long }) => {
      const reader = new LineReader()
      let at = start
      for (const [step, length] of [...steps, [0, long] as const]) {
        at = Math.min(Math.max(0, at + step), SIZE)
        expect(reader.read(fd, at, length).equals(bytes.subarray(at, at + length))).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

test("two logs that are read in turn each get their own lines", () => {
  const logs = [31, 37].map((seed) => ({ ...fileOf(seed), reader: new LineReader() }))
  for (let at = 0; at < 200_000; at += 7_000) {
    for (const { bytes, fd, reader } of logs) {
      expect(reader.read(fd, at, 9_000).equals(bytes.subarray(at, at + 9_000))).toBe(true)
      expect(reader.read(fd, at + 10, 100).equals(bytes.subarray(at + 10, at + 110))).toBe(true)
    }
  }
})
