// Results that are too large for what is left of the window.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { fitted } from "../../src/agent/step/step.ts"
import { type Part, plainText } from "../../src/model/record/record.ts"

const byWords = (text: string) => text.split(/\s+/).length

async function sizesOf(words: readonly number[], room: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "retcon-fit-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const results = words.map((many, i): Part => {
    return { type: "tool-result", call: `c${i}`, name: "Bash", output: "word ".repeat(many) }
  })
  const fit = await fitted(results, room, byWords, folder)
  return fit.map((part) => byWords(part.type === "tool-result" ? part.output : plainText([part])))
}

test("what the small ones leave over goes to the large one, in whatever order they come", async () => {
  for (const order of [
    [10, 10, 3000],
    [3000, 10, 10],
    [10, 3000, 10],
  ]) {
    const sizes = await sizesOf(order, 1000)
    const large = sizes[order.indexOf(3000)] as number
    expect(sizes.filter((_, i) => order[i] === 10)).toEqual([11, 11])
    expect(large).toBeGreaterThan(800)
    expect(large).toBeLessThan(1000)
  }
})

test("all stay whole if they fit together", async () => {
  expect(await sizesOf([300, 400], 1000)).toEqual([301, 401])
})
