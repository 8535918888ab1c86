// When an attempt is given up: by the time that really passed, whatever the machine's clock says.
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Watch } from "../../../src/provider/ai-sdk/stall-watch.ts"
import { timerSleep } from "../../../src/provider/port/timing.ts"

const watched = () => new Watch(new AbortController().signal, 60_000, { sleep: timerSleep })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test.each([
  ["forward", 3_600_000],
  ["back", -3_600_000],
])("a clock that is set %s during an answer neither ends it nor keeps a silent one open", async (_, step) => {
  const watch = watched()
  let cut: string | undefined
  void watch.cut.then((why) => (cut = why))
  await vi.advanceTimersByTimeAsync(30_000)
  watch.sawBytes()
  vi.setSystemTime(Date.now() + step)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(cut).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([cut, watch.signal.aborted]).toEqual(["stalled", true])
})

test("once it has ended, nothing waits any more", async () => {
  const watch = watched()
  watch.end()
  watch.sawBytes()
  expect(vi.getTimerCount()).toBe(0)
})
