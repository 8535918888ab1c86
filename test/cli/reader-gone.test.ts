// A reader that has seen enough is heard of between two writes, not when all has been made.
import { expect, test } from "vitest"
import type { Output } from "../../src/cli/port/cli.ts"
import { printJsonList } from "../../src/cli/port/print-json.ts"
import { page } from "../../src/cli/render/pager.ts"
import { Bench } from "./bench.ts"

const MANY = 50_000

/** Counts what was made when the event loop first came round after a write, as it does for the error of a closed pipe. */
function listening() {
  let made = 0
  let heardAt: number | undefined
  function* lines(): Generator<string> {
    while (made < MANY) yield `line ${++made}`
  }
  const out: Output = {
    write: () => void setImmediate(() => (heardAt ??= made)),
    isTerminal: false,
    width: 80,
    colours: false,
  }
  return { lines: lines(), out, heardAt: () => heardAt }
}

test("a long text stops being made soon after nobody reads it", async () => {
  const { lines, out, heardAt } = listening()
  await page({ ...new Bench().cli(), out }, lines)
  expect(heardAt()).toBeLessThan(1000)
})

test("of lines that take long to make, few are made beyond those that were read", async () => {
  let made = 0
  let read = 0
  const beyond: number[] = []
  function* lines(): Generator<string> {
    while (made < 1000) {
      yield `line ${++made}`
      beyond.push(made / (read + 8))
    }
  }
  const write = (text: string | Uint8Array) => {
    read += String(text).split("\n").length - 1
  }
  await page({ ...new Bench().cli(), out: { write, isTerminal: false, width: 80, colours: false } }, lines())
  expect(read).toBe(1000)
  expect(Math.max(...beyond)).toBeLessThanOrEqual(2)
})

test("a long list as JSON stops as well", async () => {
  const { lines, out, heardAt } = listening()
  await printJsonList(out, lines)
  expect(heardAt()).toBeLessThan(10_000)
})
