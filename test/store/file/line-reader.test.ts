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

test("in whatever order lines are read, forward, backward or here and there, each is what the file has", () => {
  const bytes = Buffer.from(Array.from({ length: SIZE }, (_, i) => (i * 31 + (i >> 8)) & 255))
  const file = `${temporaryFolder()}/lines`
  writeFileSync(file, bytes)
  const fd = openSync(file, "r")
  afterwards(() => closeSync(fd))
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
