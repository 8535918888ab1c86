import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readTips, writeTips } from "../../../src/store/file/index/tips-file.ts"
import { temporaryFolder } from "../kit.ts"

test("tips are read as they were written; cut anywhere, with any bit flipped or other than was meant they are not believed", () => {
  const file = `${temporaryFolder()}/tips`
  const tips = Uint32Array.of(3, 70_000, 4_000_000_000)
  const written = writeTips(file, 9, tips) ?? expect.fail("not written")
  expect(readTips(file, written)).toEqual(tips)
  expect(readTips(file, { ...written, rows: 10 })).toBe(undefined)
  expect(readTips(file, { ...written, sum: written.sum ^ 1 })).toBe(undefined)
  const whole = readFileSync(file)
  for (let cut = 0; cut < whole.length; cut++) {
    writeFileSync(file, whole.subarray(0, cut))
    expect([cut, readTips(file, written)]).toEqual([cut, undefined])
  }
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const flipped = Buffer.from(whole)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(file, flipped)
    expect([bit, readTips(file, written)]).toEqual([bit, undefined])
  }
})
