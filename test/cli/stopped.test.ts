// What ends the program from outside: Ctrl-C, signals, a reader that has gone.
import { expect, test } from "vitest"
import { ignoringInterrupts, interrupted, onStop, readerGone } from "../../src/cli/process/interrupt.ts"
import { isHangUp } from "../../src/cli/run-in-process.ts"

test("Ctrl-C goes to the newest handler, once each, and to nobody while a pager has the terminal", async () => {
  const told: string[] = []
  onStop((exit) => void told.push(`outer ${exit}`))
  onStop((exit) => void told.push(`inner ${exit}`))
  const forget = onStop(() => void told.push("forgotten"))
  forget()
  forget()
  expect([interrupted(), interrupted(), interrupted()]).toEqual([true, true, false])
  expect(told).toEqual(["inner 130", "outer 130"])
  expect(await ignoringInterrupts(async () => interrupted())).toBe(true)
  expect(interrupted()).toBe(false)
  expect([readerGone(), told.length]).toEqual([false, 2])
})

test("SIGTERM ends in order, and once nobody reads the output, nothing more is written", () => {
  const told: number[] = []
  const forget = onStop((exit) => void told.push(exit))
  process.emit("SIGTERM", "SIGTERM")
  expect(told).toEqual([143])
  forget()
  onStop((exit) => void told.push(exit))
  expect([readerGone(), readerGone(), readerGone()]).toEqual([true, true, true])
  expect(told).toEqual([143, 141])
})

test("only a terminal hangs up", () => {
  const error = (code: string) => Object.assign(new Error(code), { code })
  expect(isHangUp(error("EIO"), { isTTY: true })).toBe(true)
  expect([isHangUp(error("EIO"), {}), isHangUp(error("EPIPE"), { isTTY: true })]).toEqual([false, false])
})
