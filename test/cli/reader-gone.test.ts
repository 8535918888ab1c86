// A reader that has seen enough: what it did not wait for is not made.
import { describe, expect, test } from "vitest"
import type { Output } from "../../src/cli/port/cli.ts"
import { printJsonList } from "../../src/cli/port/print-json.ts"
import { page } from "../../src/cli/render/pager.ts"
import { Bench } from "./bench.ts"

const MANY = 50_000

/** A reader of `wanted` lines: counts what was made by the time that its going is heard of, as of a closed pipe. */
function reader(wanted: number) {
  let made = 0
  let read = 0
  let madeWhenGone: number | undefined
  function* lines(): Generator<string> {
    while (made < MANY) yield `line ${++made}`
  }
  const out: Output = {
    write(text) {
      read += String(text).split("\n").length - 1
      if (read >= wanted) setImmediate(() => (madeWhenGone ??= made))
    },
    isTerminal: false,
    width: 80,
    colours: false,
  }
  return { lines: lines(), out, madeWhenGone: () => madeWhenGone }
}

describe("of lines that take long to make, about as many are made as are read", () => {
  test.each([1, 10, 100, 1_000, 10_000])("a reader of %i", async (wanted) => {
    const { lines, out, madeWhenGone } = reader(wanted)
    await page({ ...new Bench().cli(), out }, lines)
    expect(madeWhenGone()).toBeGreaterThanOrEqual(wanted)
    expect(madeWhenGone()).toBeLessThanOrEqual(2 * wanted + 20)
  })
})

test("a long list as JSON is not made to its end for a reader of its first line", async () => {
  const { lines, out, madeWhenGone } = reader(1)
  await printJsonList(out, lines)
  expect(madeWhenGone()).toBeLessThan(MANY / 5)
})
