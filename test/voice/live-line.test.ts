// A connection to a live model that does not open in time.
import { expect, test, vi } from "vitest"
import { liveLine } from "../../src/voice/gemini-live.ts"

test("one that opens after all, but too late, is closed at once", async () => {
  const told = { closed: vi.fn() }
  const line = liveLine<{ close(): void }>(told, (words) => words)
  let opens: (session: { close(): void }) => void = () => undefined
  const connecting = new Promise<{ close(): void }>((settle) => (opens = settle))
  await expect(line.open(connecting, 1)).rejects.toThrow("it did not answer within 1 s.")
  const late = { close: vi.fn() }
  opens(late)
  await connecting
  expect(late.close).toHaveBeenCalledOnce()
  line.closed("gone")
  expect(told.closed).not.toHaveBeenCalled()
})
