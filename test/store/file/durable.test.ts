import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { NONE } from "../../../src/history/tree/tree.ts"
import { FAST, message, newLog } from "../kit.ts"

/** All that can happen in this thread without an answer from the disk. */
async function withoutTheDisk(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

test("what must survive a power cut is visible only once the disk has it; other records once they are written", async () => {
  const { file, log } = await newLog()
  const [safe, quick] = [message(null, "safe"), message(null, "quick")]
  const done = log.append([safe], { durability: "sync" })
  await withoutTheDisk()
  expect(readFileSync(file, "utf8")).toContain("safe")
  expect(log.history.rowOf(safe.id)).toBe(NONE)
  await done
  expect(log.history.rowOf(safe.id)).not.toBe(NONE)
  const quickly = log.append([quick], FAST)
  await withoutTheDisk()
  expect(log.history.rowOf(quick.id)).not.toBe(NONE)
  await quickly
})
