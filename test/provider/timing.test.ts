import { expect, test } from "vitest"
import { timerSleep } from "../../src/provider/port/timing.ts"

test("a sleep ends after its time", async () => {
  await expect(timerSleep(1, new AbortController().signal)).resolves.toBeUndefined()
})

test("a sleep ends at once when it is aborted, before or while it sleeps", async () => {
  const controller = new AbortController()
  const sleeping = timerSleep(2 ** 30, controller.signal)
  controller.abort()
  await expect(sleeping).resolves.toBeUndefined()
  await expect(timerSleep(2 ** 30, controller.signal)).resolves.toBeUndefined()
})
