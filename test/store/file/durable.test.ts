import { expect, test } from "vitest"
import { NONE } from "../../../src/history/tree/tree.ts"
import { FAST, message, newLog } from "../kit.ts"

test("what is to survive a power cut is seen only once it does; what is in a hurry at once", async () => {
  const { log } = await newLog()
  const [safe, quick] = [message(null, "safe"), message(null, "quick")]
  const done = log.append([safe], { durability: "sync" })
  expect(log.history.rowOf(safe.id)).toBe(NONE)
  await done
  expect(log.history.rowOf(safe.id)).not.toBe(NONE)
  const quickly = log.append([quick], FAST)
  expect(log.history.rowOf(quick.id)).not.toBe(NONE)
  await quickly
})
